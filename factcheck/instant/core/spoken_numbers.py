"""Numbers of a folded text with their places: digits, words of four languages, dialects, Arabizi, ordinals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from factcheck.core.number_words import ARABIC_AND, DUAL_SCALES, SCALES, SMALL
from factcheck.core.numbers import NumberSpan, find_numbers
from factcheck.core.tokens import Token
from factcheck.instant.core.messages import fold
from factcheck.instant.core.reader_words import read_group

_MAX_NUMBER = Decimal(10) ** 10
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_TOKEN = re.compile(
    r"(?P<grouped>(?<![\d.,])\d{1,3}(?:[ ,.'\u00a0]\d{3})+(?:[.,]\d{1,2})?(?!\d))"
    r"|(?P<number>\d+(?:[.,]\d+)?)|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
)
_ARABIZI_WORD = re.compile(r"(?<![\w.,])(?:[235679]'?[a-z]['a-z]*|[a-z]+[2356789])['a-z235679]*(?!\w)")
_SUFFIXED = re.compile(
    r"\d+(?:[a-z]{1,2}|x+[sl]|e?ur|usd|aed|sar|qar|kwd|egp|gbp|cad|aud|chf|inr|try|jod|omr|bhd|dhs|rub|lbs|kgs|"
    r"feet|foot"
    r"|inch(?:es)?|stone|euros?|bucks?|quid|min|mins|hrs?|days?|weeks?|years?|grand|kilos?|pounds?|dollars?|xxl|xxxl)"
)
_PREFIXED = re.compile(r"(?:rm|rs?|us|usd|aed|sar|egp|eur|gbp|chf|php|ksh|inr|kd|jd|eu|uk|size|w|l)\d+")
"""Digits with a unit joined to them, which look like words of Arabizi."""


def _table(rows: dict[str, str]) -> dict[str, str]:
    return {fold(form): fold(word) for word, forms in rows.items() for form in forms.split()}


_SPOKEN = _table(read_group("spoken_numbers"))
"""What people say for a number to the word that the reader of numbers knows."""
_TEENS = {word: value for word, value in SMALL.items() if 11 <= value <= 19 and word.isascii()}
_THOUSANDS_FIRST = frozenset({"тысяч", "тыщ", "штук", "тысячи", "тыщи"})
"""Before a number they multiply it: "тысяч пятнадцать" is 15,000, and so is "тысяч до пятнадцати"."""
_ABOUT = frozenset({"до", "на", "в", "около", "под", "по"})
_FEW_THOUSANDS, _HUNDREDS_BEHIND = range(1, 100), range(100, 1000, 50)
_CYRILLIC = re.compile("[а-я]")
_HUNDREDS = frozenset({"сотки", "соток", "сотен", "сотни"})
_JOINED, _MIN_JOINED_LENGTH = frozenset("بلفك"), 3
"""Arabic prepositions that are joined to a number: بخمسه."""
_INVERTED = "\ue002"
_ENGLISH = {value: word for word, value in reversed(SMALL.items()) if word.isascii()}
_ORDINAL_STEMS = {
    1: "перв", 2: "втор", 3: "трет", 4: "четверт", 5: "пят", 6: "шест", 7: "седьм", 8: "восьм", 9: "девят",
    10: "десят", 11: "одиннадцат", 12: "двенадцат", 13: "тринадцат", 14: "четырнадцат", 15: "пятнадцат",
    16: "шестнадцат", 17: "семнадцат", 18: "восемнадцат", 19: "девятнадцат", 20: "двадцат", 30: "тридцат",
    40: "сороков", 50: "пятидесят", 60: "шестидесят",
}  # fmt: skip
_BY_ORDINAL = {stem: value for value, stem in _ORDINAL_STEMS.items()}
_ORDINAL = re.compile(
    rf"({'|'.join(sorted(_BY_ORDINAL, key=len, reverse=True))})"
    r"(?:[ыои]й|ь?его|ого|ому|[ыо]м|ую|ая|ое|ь?ей|ь[еяюи]|ы[ех])"
)
_BY_ENGLISH_ORDINAL = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_HALF = re.compile(
    r"(?:\s+(?:and\s+(?:a\s+)?half|with\s+a\s+half|с\s+половин(?:ой|кой)|و\s?نصف?|w\s?n[ou]s+)|\s?½)(?!\w)"
)
_THOUSANDS_BEHIND = re.compile(r"(?:[kк]|\s?т\.?\s?р\.?)(?![\w'])")
_LAKHS_BEHIND = re.compile(r"\s?(?:lakh|lac|lakhs|lacs)(?![\w'])")
_HALF_OF = re.compile(
    r"(?<![\w'])(?:half a |пол ?|نص |نصف |n[ou]s+ )(?:(?P<million>mil|million|миллиона|ляма|лимона|مليون|malyon|melyon)"
    r"|(?P<thousand>grand|thousand|косаря|тысячи|тыщи|الف|alf))(?!\w)"
)
_HALF_SCALES = {1_000_000: "million", 1_000: "thousand"}
_ALONE_NO_NUMBER = frozenset({"one", "couple", "один", "одна", "одно", "одну", "واحد", "zero", "ست"})
"""Words that are read as numbers only beside others: "one" is somebody, ست is a lady."""


@dataclass(frozen=True, slots=True)
class SpokenNumber:
    """A number of a folded text, from its first character to behind its last."""

    start: int
    end: int
    value: Decimal
    in_digits: bool

    @property
    def shown(self) -> str:
        """The number as values show it: no exponent, no zeros that say nothing."""
        return format(self.value.normalize(), "f")


@lru_cache(maxsize=128)
def list_numbers(
    text: str, start: int, end: int, *, groups: bool = True, ordinals: bool = False
) -> tuple[SpokenNumber, ...]:
    """The numbers of a part of a folded text in reading order.

    With `groups`, `30 000` is one number; without, 30 and 0. With `ordinals`, `сорок второй` is 42. Digits that are
    letters of an Arabizi word are none. A half said behind belongs to the number (`десять с половиной`), and so do
    thousands (`15к`, `тысяч пятнадцать`).
    The last parts are remembered: readers of sums, measures and days ask for the same ones.
    """
    words = _cut(text, start, end, groups=groups, ordinals=ordinals)
    numbers: list[SpokenNumber] = []
    halves = [_make_half(match) for match in _HALF_OF.finditer(text, start, end)]
    for found in find_numbers(words):
        number = _make_number(text, end, words, found)
        if number is None:
            continue
        scale = SCALES.get(words[found.start].text) if found.end == found.start + 1 else None
        if scale and numbers and numbers[-1].value % 1 and not text[numbers[-1].end : number.start].strip():
            before = numbers.pop()
            number = SpokenNumber(before.start, number.end, before.value * scale, in_digits=False)
        if numbers and _leaves_out_thousand(text, numbers[-1], number):
            before = numbers.pop()
            number = SpokenNumber(before.start, number.end, before.value * 1000 + number.value, in_digits=False)
        if not any(half.start < number.end and number.start < half.end for half in halves):
            numbers.append(number)
    return tuple(sorted([*numbers, *halves], key=lambda number: number.start))


def _leaves_out_thousand(text: str, before: SpokenNumber, number: SpokenNumber) -> bool:
    """Whether two Russian numbers are one in thousands: «две восемьсот» is 2,800."""
    return (
        text[before.end : number.start] == " "
        and _CYRILLIC.match(text, number.start) is not None
        and not before.in_digits
        and before.value in _FEW_THOUSANDS
        and number.value in _HUNDREDS_BEHIND
    )


def write_digits(text: str, *, ordinals: bool = False) -> str:
    """A folded text with what it says in words, or with a half, in digits: «тысяч тридцать пять» → `35000`."""
    parts, place = [], 0
    for number in list_numbers(text, 0, len(text), groups=False, ordinals=ordinals):
        if not text[number.start : number.end].isdecimal():
            parts += [text[place : number.start], number.shown]
            place = number.end
    return "".join([*parts, text[place:]])


def _make_half(match: re.Match[str]) -> SpokenNumber:
    scale = next(factor for factor, name in _HALF_SCALES.items() if match[name])
    return SpokenNumber(match.start(), match.end(), Decimal(scale) / 2, in_digits=False)


def _make_number(text: str, end: int, words: Sequence[Token], found: NumberSpan) -> SpokenNumber | None:
    first, stop = words[found.start], words[found.end - 1].end
    written = text[first.start : stop]
    if found.value is None or written in _ALONE_NO_NUMBER:
        return None
    value, start = Decimal(found.value.numerator) / Decimal(found.value.denominator), first.start
    half = _HALF.match(text, stop, end)
    if half and value == int(value):
        value, stop = value + Decimal("0.5"), half.end()
    thousands = _THOUSANDS_BEHIND.match(text, stop, end) if found.in_digits else None
    if thousands:
        value, stop = value * 1000, thousands.end()
    lakhs = _LAKHS_BEHIND.match(text, stop, end)
    if lakhs:
        value, stop = value * 100_000, lakhs.end()
    before = found.start - 1
    if before > 0 and words[before].text in _ABOUT:
        before -= 1
    if before >= 0 and words[before].text == _INVERTED and value < 1000:
        value, start = value * 1000, words[before].start
    return SpokenNumber(start, stop, value, found.in_digits) if 0 <= value < _MAX_NUMBER else None


def _cut(text: str, start: int, end: int, *, groups: bool, ordinals: bool) -> list[Token]:
    """The words of a text as the reader of numbers takes them, what is spoken replaced by standard words."""
    hidden = {match.start(): match.end() for match in _ARABIZI_WORD.finditer(text, start, end)}
    words: list[Token] = []
    position = place = start
    while place < end:
        kind, stop = _next_piece(text, place, end, hidden, groups=groups)
        if not kind:
            place += 1
            continue
        gap = "".join(text[position:place].split())
        said = text[place:stop]
        said = _read_digits(said) if kind in ("number", "grouped") else said
        if said in _TEENS and re.match(r"[ -]hundred\b", text[stop : stop + 9]):
            said, stop = str(_TEENS[said] * 100), stop + len(" hundred")
        words.append(_token(said, place, stop, gap, spaced=position < place))
        position = place = stop
    return _standardise(words, ordinals=ordinals)


def _next_piece(text: str, place: int, end: int, hidden: dict[int, int], *, groups: bool) -> tuple[str, int]:
    """The kind of the word or number at a place and where it ends; an empty kind where there is none."""
    stop = hidden.get(place)
    if stop is not None and not _SUFFIXED.fullmatch(text[place:stop]) and not _PREFIXED.fullmatch(text[place:stop]):
        return "word", stop
    match = _TOKEN.match(text, place, end)
    if match and match.lastgroup == "grouped" and not groups:
        match = _DIGITS.match(text, place, end)
        return "number", match.end() if match else place
    return (match.lastgroup or "", match.end()) if match else ("", place)


def _read_digits(said: str) -> str:
    """Digits with a decimal point and nothing else: `1,200.50` → `1200.50`, `1,5` → `1.5`, `1.500` → `1500`."""
    if re.fullmatch(r"\d+(?:[.,]\d{1,2}|[.,]\d{4,})?", said):
        return said.replace(",", ".")
    decimals = re.search(r"[.,](\d{1,2})$", said)
    whole = re.sub(r"\D", "", said[: decimals.start()] if decimals else said)
    return f"{whole}.{decimals[1]}" if decimals else whole


def _standardise(words: list[Token], *, ordinals: bool) -> list[Token]:
    """Words replaced by those that the reader of numbers knows; the Arabic "and" joined to the number behind it."""
    found: list[Token] = []
    for index, word in enumerate(words):
        after = words[index + 1].text if index + 1 < len(words) else ""
        said = _standard(word.text, after, ordinals=ordinals)
        before = found[-1] if found else None
        is_behind = before is not None and _is_number(before.text) and not word.gap
        behind = words[index + 2].text if after in _ABOUT and index + 2 < len(words) else after
        is_before = behind[:1].isdigit() or _is_number(_standard(behind, ""))
        if word.text in _THOUSANDS_FIRST and not is_behind and is_before:
            said = _INVERTED
        elif said == "hundred" and not is_behind:
            said = "сто"
        elif word.text in _HUNDREDS and is_behind:
            said = "hundred"
        elif said[:1] == ARABIC_AND and len(said) > 1 and _is_number(said[1:]) and not is_behind:
            said = said[1:]
        elif _is_joint(found) and _is_number(said) and not said[:1].isdigit():
            found[-1] = _token(ARABIC_AND + said, found[-1].start, word.end, "", spaced=True)
            continue
        found.append(_token(said, word.start, word.end, word.gap, spaced=word.spaced))
    return found


def _is_joint(found: Sequence[Token]) -> bool:
    """Whether the last word is an Arabic "and" that stands alone behind a number."""
    return len(found) > 1 and found[-1].text in ("w", "و") and _is_number(found[-2].text)


def _is_number(word: str) -> bool:
    bare = word[1:] if word[:1] == ARABIC_AND else word
    return word[:1].isdigit() or any(each in table for each in (word, bare) for table in (SMALL, SCALES, DUAL_SCALES))


def _standard(word: str, after: str, *, ordinals: bool = False) -> str:
    if word in SMALL or word in DUAL_SCALES:
        return word
    if word in _SPOKEN:
        return _SPOKEN[word]
    if word[:1] == ARABIC_AND and word[1:] in _SPOKEN:
        return ARABIC_AND + _SPOKEN[word[1:]]
    if word[:1] in _JOINED and len(word) > _MIN_JOINED_LENGTH and (word[1:] in SMALL or word[1:] in _SPOKEN):
        return _SPOKEN.get(word[1:], word[1:])
    if word == "a" and after in ("hundred", "thousand", "grand", "million"):
        return "one"
    if ordinals:
        match = _ORDINAL.fullmatch(word)
        value = _BY_ORDINAL[match[1]] if match else _BY_ENGLISH_ORDINAL.get(word)
        return _ENGLISH[value] if value else word
    return word


def _token(said: str, start: int, end: int, gap: str, *, spaced: bool) -> Token:
    is_number = said[:1].isdigit() and said.replace(".", "", 1).isdigit()
    return Token(said, said, "number" if is_number else "word", start, end, gap, spaced, capital=False)
