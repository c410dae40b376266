"""Numbers in a claim: digits of any script, separators, and words up to the millions in four languages."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from factcheck.core.number_words import (
    ARABIC_AND,
    ARABIC_HUNDRED,
    ARABIC_TEEN_UNITS,
    ARABIC_TEN,
    DUAL_SCALES,
    HAN_DIGITS,
    HAN_MYRIADS,
    HAN_NUMERALS,
    HAN_SCALES,
    SCALES,
    SMALL,
)
from factcheck.core.tokens import Token

MINUS_MARKS = frozenset("-−–")
MINUS_WORDS = frozenset({"minus", "минус", "负"})
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?|\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?")
_ONE_GROUP = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_DECIMAL = re.compile(r"\d+[.,]\d+")


@dataclass(frozen=True, slots=True)
class NumberSpan:
    """A number and the words that it takes, [start, end)."""

    start: int
    end: int
    value: Fraction | None
    """None for digits that can be read in two ways (`48.000`)."""
    in_digits: bool


def find_numbers(words: Sequence[Token], *, masked: Collection[int] = ()) -> list[NumberSpan]:
    """The numbers in reading order, none of them over masked words."""
    hidden = frozenset(masked)
    has_cyrillic = any("а" <= word.text[0] <= "я" for word in words)
    found: list[NumberSpan] = []
    place = 0
    while place < len(words):
        span = None if place in hidden else _read(words, place, hidden, has_cyrillic)
        if span is None:
            place += 1
            continue
        found.append(_with_sign(words, span, hidden))
        place = span.end
    return found


def parse_digits(text: str, *, comma_is_decimal: bool = False) -> Fraction | None:
    """The value of digits with separators; None when they can be read in two ways."""
    digits = text.replace(" ", "")
    if digits.isdigit():
        return Fraction(digits)
    if _GROUPED.fullmatch(digits):
        if digits.count(",") >= 1 and digits.rfind(".") > digits.rfind(","):
            return Fraction(digits.replace(",", ""))
        if digits.count(".") > 1:
            return Fraction(digits.replace(".", "").replace(",", "."))
        return Fraction(digits.replace(",", ""))
    if _ONE_GROUP.fullmatch(digits):
        return Fraction(digits.replace(",", "")) if "," in digits and not comma_is_decimal else None
    if _DECIMAL.fullmatch(digits):
        return Fraction(digits.replace(",", "."))
    return None


def _with_sign(words: Sequence[Token], span: NumberSpan, hidden: frozenset[int]) -> NumberSpan:
    """The number with the minus before it: a mark that stands free on its left, or a word."""
    first = words[span.start]
    before = span.start - 1
    if before >= 0 and before not in hidden and words[before].text in MINUS_WORDS:
        return _negate(span, before)
    if first.gap and first.gap[-1] in MINUS_MARKS and first.kind == "number" and span.value is not None:
        touches_both = len(first.gap) == 1 and before >= 0 and first.start - words[before].end == 1
        if not touches_both and words[span.start].start >= 1:
            return _negate(span, span.start) if first.gap[-1] != "–" else span
    return span


def _negate(span: NumberSpan, start: int) -> NumberSpan:
    value = None if span.value is None else -span.value
    return NumberSpan(start, span.end, value, span.in_digits)


def _read(words: Sequence[Token], place: int, hidden: frozenset[int], has_cyrillic: bool) -> NumberSpan | None:
    word = words[place]
    if word.kind == "number":
        return _read_digits(words, place, hidden, has_cyrillic)
    if word.text in HAN_NUMERALS:
        return _read_han(words, place, hidden)
    return _read_words(words, place, hidden)


def _read_digits(words: Sequence[Token], place: int, hidden: frozenset[int], has_cyrillic: bool) -> NumberSpan:
    value = parse_digits(words[place].text, comma_is_decimal=has_cyrillic)
    end = place + 1
    while end < len(words) and end not in hidden:
        text = words[end].text
        factor = SCALES.get(text) or HAN_MYRIADS.get(text) or HAN_SCALES.get(text)
        if factor is None or words[end].gap.strip("."):
            break
        value = None if value is None else value * factor
        end += 1
        if end < len(words) and words[end].kind == "number" and not words[end].spaced:
            return NumberSpan(place, end + 1, None, in_digits=True)
    return NumberSpan(place, end, value, in_digits=True)


def _read_han(words: Sequence[Token], place: int, hidden: frozenset[int]) -> NumberSpan | None:
    end = place
    while end < len(words) and end not in hidden and words[end].text in HAN_NUMERALS:
        if end > place and words[end].spaced:
            break
        end += 1
    numerals = "".join(word.text for word in words[place:end])
    value = parse_han(numerals)
    return None if value is None else NumberSpan(place, end, Fraction(value), in_digits=False)


def parse_han(numerals: str) -> int | None:
    """The value of Chinese numerals, positional (`一一二三`) or with 十百千万亿; None when they are none.

    A last digit right behind a scale counts its tenths: `五万三` is 53,000.
    """
    if numerals and all(numeral in HAN_DIGITS for numeral in numerals):
        return int("".join(str(HAN_DIGITS[numeral]) for numeral in numerals))
    total = section = 0
    digit: int | None = None
    for numeral in numerals:
        if numeral in HAN_DIGITS:
            if digit:
                return None
            digit = HAN_DIGITS[numeral]
        elif numeral in HAN_SCALES:
            section += (1 if digit is None else digit) * HAN_SCALES[numeral]
            digit = None
        else:
            section += digit or 0
            if not section:
                return None
            total += section * HAN_MYRIADS[numeral]
            section, digit = 0, None
    scale = HAN_SCALES | HAN_MYRIADS
    tenth = scale.get(numerals[-2], 10) // 10 if len(numerals) > 1 else 1
    return total + section + (digit or 0) * tenth


def _read_words(words: Sequence[Token], place: int, hidden: frozenset[int]) -> NumberSpan | None:
    """Words that add up (`двести четырнадцать`), multiply (`two hundred`), or stand in Arabic order."""
    total = group = 0
    room = 1_000_000
    end = place
    while end < len(words) and end not in hidden:
        if end > place and words[end].gap.strip("-–"):
            break
        step = _next_step(words, end, group, started=end > place)
        if step is None:
            break
        kind, value, taken = step
        if kind == "add":
            if value >= room:
                break
            group += value
            room = _room_after(value)
        elif kind == "scale" and value == 100:
            if not 0 < group < 10:
                break
            group *= 100
            room = 100
        elif kind == "scale":
            if total and total < value * 1_000:
                break
            total += (group or 1) * value
            group, room = 0, 1_000
        end += taken
    if end == place:
        return None
    return NumberSpan(place, end, Fraction(total + group), in_digits=False)


def _next_step(words: Sequence[Token], place: int, group: int, *, started: bool) -> tuple[str, int, int] | None:
    """What the words at a place do to a number: kind, value and how many words it takes."""
    text = words[place].text
    after = words[place + 1].text if place + 1 < len(words) else ""
    if started and text == "and" and (after in SMALL or after in SCALES) and group >= 100:
        inner = _next_step(words, place + 1, group, started=True)
        return None if inner is None else (inner[0], inner[1], inner[2] + 1)
    if started and text.startswith(ARABIC_AND) and text not in SMALL:
        text = text[1:]
    if text in ARABIC_TEEN_UNITS and after in ARABIC_TEN:
        return "add", ARABIC_TEEN_UNITS[text] + 10, 2
    if text in ARABIC_TEEN_UNITS and after in ARABIC_HUNDRED:
        return "add", ARABIC_TEEN_UNITS[text] * 100, 2
    if after.startswith(ARABIC_AND) and after[1:] in SMALL and "\u0600" <= text[:1] <= "\u06ff":
        tens, units = SMALL[after[1:]], SMALL.get(text) or ARABIC_TEEN_UNITS.get(text, 0)
        if 0 < units < 10 and 20 <= tens < 100:
            return "add", units + tens, 2
    if text in DUAL_SCALES:
        return "add", DUAL_SCALES[text], 1
    if text in SCALES:
        return "scale", SCALES[text], 1
    return ("add", SMALL[text], 1) if text in SMALL else None


def _room_after(value: int) -> int:
    """Below which value the next word must lie: after tens units, after hundreds tens, after units nothing."""
    if value >= 1_000:
        return 1_000
    if value >= 100:
        return 100
    return 10 if value >= 20 else 0
