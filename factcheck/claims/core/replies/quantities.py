"""Numbers as people say them: digits and words, dozens, scores, `four and forty`, `семеро`, ordinals of years."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from factcheck.claims.core.dates import YEAR_MARKERS
from factcheck.claims.core.units import read_unit
from factcheck.claims.core.words import HAN_MEASURES
from factcheck.core.number_words import ARABIC_TEEN_UNITS, HAN_NUMERALS, SCALES, SMALL
from factcheck.core.numbers import NumberSpan, find_numbers
from factcheck.core.tokens import Token
from knowledge.text.folding import normalise

YEARS = range(100, 3000)


def _table(**forms: str) -> dict[str, int]:
    return {normalise(form): int(value.strip("_")) for value, text in forms.items() for form in text.split()}


GROUPS = _table(
    _12="dozen dozens дюжина дюжины дюжин дюжину دزينة",
    _20="score",
    _10="десяток десятка десятков десятками",
    _100="hundred hundreds сотня сотни сотен сотню сотней",
    _50="полсотни",
    _1000="thousand thousands",
)
"""Words for so many together; they may multiply the number before them."""
HAN_DOZEN = "打"
"""A dozen behind a numeral alone: it is also to strike."""
PENCE = {f"{name}pence": value for name, value in (("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6),
         ("seven", 7), ("eight", 8), ("nine", 9), ("ten", 10), ("twelve", 12))}  # fmt: skip
PENCE |= {"tuppence": 2, "thruppence": 3}
"""A number and its coin in one word."""
ONE_AND_A_HALF = frozenset(map(normalise, ("полтора", "полторы", "полутора")))
ARABIC_TWO_THOUSAND = normalise("ألفا")
"""`ألفا رجل`; behind a number (`عشرون ألفا`) and at the end of a phrase it is one thousand."""
LOOSE_GROUPS = frozenset(map(normalise, ("dozens", "hundreds", "thousands", "десятками", "сотнями")))
COLLECTIVES = _table(
    _2="двое двоих пара пары пару couple pair оба обе both",
    _3="трое троих",
    _4="четверо четверых",
    _5="пятеро пятерых",
    _6="шестеро шестерых",
    _7="семеро семерых",
    _8="восьмеро восьмерых",
    _9="девятеро девятерых",
    _10="десятеро десятерых",
    _150="полтораста полутораста",
)
_ORDINAL_STEMS = (
    (1, "перв"), (2, "втор"), (3, "трет"), (4, "четверт"), (5, "пят"), (6, "шест"), (7, "седьм"), (8, "восьм"),
    (9, "девят"), (10, "десят"), (11, "одиннадцат"), (12, "двенадцат"), (13, "тринадцат"), (14, "четырнадцат"),
    (15, "пятнадцат"), (16, "шестнадцат"), (17, "семнадцат"), (18, "восемнадцат"), (19, "девятнадцат"),
    (20, "двадцат"), (30, "тридцат"), (40, "сороков"), (50, "пятидесят"), (60, "шестидесят"), (70, "семидесят"),
    (80, "восьмидесят"), (90, "девяност"), (100, "сот"), (200, "двухсот"), (300, "трехсот"), (400, "четырехсот"),
    (500, "пятисот"), (600, "шестисот"), (700, "семисот"), (800, "восьмисот"), (900, "девятисот"),
)  # fmt: skip
ORDINALS = {
    stem + ending: value
    for value, stem in _ORDINAL_STEMS
    for ending in ("ом", "ого", "ый", "ой", "ьем", "ьего", "ий", "ем")
}
RUSSIAN_SCALES = frozenset({"тысяч", "тыщ", "миллионов"})
RUSSIAN_THOUSAND = "тысяча"
BEFORE_RUSSIAN_YEAR = frozenset({"в", "с", "около", "до", "после"})
AFTER_YEAR = frozenset({"by", "and", "to", "until", "but", "when", "as", "was", "is", "it", "he", "she", "they"})
ENGLISH_AND = frozenset(map(normalise, ("and", "да", "и")))
HALVES = (["and", "a", "half"], ["с", "половиной"])
"""`Two and a half thousand`."""
ARABIC_PARTICLES = frozenset("\u0628\u0644\u0641\u0643")
HAN_YEAR = "年"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text, [start, end)."""

    start: int
    end: int
    value: Fraction
    is_year: bool
    is_loose: bool
    """Whether it counts in dozens or hundreds, which people do when they don't count."""


def _halve(words: Sequence[Token], quantity: Quantity) -> Quantity:
    """`Half a dozen` is six, `a dozen and a half` eighteen; `half a hundred` fifty."""
    if words[quantity.start].text not in GROUPS:
        return quantity
    before = [word.text for word in words[max(quantity.start - 2, 0) : quantity.start]]
    if before[-2:] == ["half", "a"]:
        return replace(quantity, start=quantity.start - 2, value=quantity.value / 2, is_loose=False)
    if [word.text for word in words[quantity.end : quantity.end + 3]] == ["and", "a", "half"]:
        return replace(quantity, end=quantity.end + 3, value=quantity.value * 3 / 2)
    return quantity


def find_quantities(words: Sequence[Token], *, masked: frozenset[int] = frozenset()) -> list[Quantity]:
    """The numbers in reading order, none of them over masked words."""
    words = [_without_prefix(word) for word in words]
    spans = {span.start: span for span in find_numbers(words, masked=masked) if span.value is not None}
    found: list[Quantity] = []
    place = 0
    while place < len(words):
        quantity = None if place in masked else _read(words, place, spans.get(place))
        if quantity is None:
            place += 1
            continue
        found.append(quantity)
        place = quantity.end
    return [_halve(words, each) for each in _join(words, [each for each in found if not _is_idiom(words, each)])]


def _without_prefix(word: Token) -> Token:
    """An Arabic number word without the particle that is joined to it (`باثني عشر`)."""
    rest = word.text[1:]
    if word.text[:1] in ARABIC_PARTICLES and word.text not in SMALL and (rest in SMALL or rest in ARABIC_TEEN_UNITS):
        return replace(word, text=rest)
    return word


def _read(words: Sequence[Token], place: int, span: NumberSpan | None) -> Quantity | None:
    text = words[place].text
    value: Fraction | None = None
    end, is_loose = place, False
    if span is not None and span.value is not None:
        value, end = span.value, span.end
        if text in RUSSIAN_SCALES and end - place == 2 and text != RUSSIAN_THOUSAND:  # `тысяч девять`
            return Quantity(place, end, (value - 1000) * 1000, is_year=False, is_loose=True)
        if text == ARABIC_TWO_THOUSAND and end == place + 1 and end < len(words) and not words[end].gap:
            value = Fraction(2000)
    elif text in COLLECTIVES or text in PENCE:
        value, end = Fraction(COLLECTIVES.get(text) or PENCE[text]), place + 1
    elif text in ONE_AND_A_HALF and place + 1 < len(words):
        factor = GROUPS.get(words[place + 1].text) or SCALES.get(words[place + 1].text)
        return Quantity(place, place + 2, Fraction(3, 2) * factor, is_year=False, is_loose=False) if factor else None
    if value is not None and end < len(words) and words[end].text == HAN_DOZEN:
        return Quantity(place, end + 1, value * 12, is_year=False, is_loose=False)
    if end < len(words) and words[end].text in GROUPS and (end == place or not words[end].gap.strip("-")):
        value = (value or Fraction(1)) * GROUPS[words[end].text]
        is_loose = end == place or words[end].text in LOOSE_GROUPS
        end += 1
    if end < len(words) and words[end].text in ORDINALS:
        value = (value or Fraction(0)) + ORDINALS[words[end].text]
        end += 1
        is_dated = words[place].text == RUSSIAN_THOUSAND and place and words[place - 1].text in BEFORE_RUSSIAN_YEAR
        if is_dated and value in YEARS:  # `в тысяча сто двадцать втором`
            return Quantity(place, end, value, is_year=True, is_loose=False)
        if end >= len(words) or words[end].text not in YEAR_MARKERS:
            return None
    if value is None or value < 0:
        return None
    return Quantity(place, end, value, _is_year(words, place, end, value), is_loose)


def _is_year(words: Sequence[Token], start: int, end: int, value: Fraction) -> bool:
    """Whether the words around a number say that it is a year."""
    if value.denominator != 1 or int(value) not in YEARS or (read_unit(words, end) and not _year_after(words, end)):
        return False
    if _year_after(words, end):
        return True
    before = words[start - 1].text if start else ""
    if before in YEAR_MARKERS:
        return True
    if before not in {"in", "since", "back", "year", "by", "circa", "of"}:
        return False
    follows = words[end] if end < len(words) and not words[end].gap else None
    counts = follows is not None and not follows.capital and (before == "of" or follows.text.endswith("s"))
    return not counts or (follows is not None and follows.text in AFTER_YEAR)


def _year_after(words: Sequence[Token], end: int) -> bool:
    if end >= len(words) or words[end].gap.strip("-"):
        return False
    text = words[end].text
    if text == HAN_YEAR:
        return True
    return text in YEAR_MARKERS - {normalise("года"), normalise("year")} or (
        text == normalise("года") and words[end].kind == "word"
    )


def _join(words: Sequence[Token], found: list[Quantity]) -> list[Quantity]:
    """`four and forty` is 44, `seven tens and five` 75; `seven-twelve` after `in` is the year 712."""
    joined: list[Quantity] = []
    for quantity in found:
        last = joined[-1] if joined else None
        merged = None if last is None else _merge(words, last, quantity)
        if merged is None:
            joined.append(quantity)
        else:
            joined[-1] = merged
    return joined


def _merge(words: Sequence[Token], first: Quantity, second: Quantity) -> Quantity | None:
    between = words[first.end : second.start]
    low, high = sorted((first.value, second.value))
    is_sum = (
        len(between) == 1
        and between[0].text in ENGLISH_AND
        and not between[0].gap.strip("-")
        and not words[second.start].gap.strip("-")
    )
    if between and first.value in (1000, 1_000_000) and words[first.start].text in RUSSIAN_SCALES and len(between) == 1:
        return Quantity(first.start, second.end, first.value * second.value, is_year=False, is_loose=True)
    is_halved = [word.text for word in between] in HALVES and second.value in (100, 1000, 1_000_000)
    if is_halved and words[second.start].text in SCALES:
        return Quantity(
            first.start,
            second.end,
            (first.value + Fraction(1, 2)) * second.value,
            is_year=False,
            is_loose=second.is_loose,
        )
    is_tens = 0 < low < 10 <= high <= 990 and high % 10 == 0
    if is_sum and (is_tens or (0 < low < 100 <= high and high % 100 == 0) or (first.value == 60 and low == 10)):
        return Quantity(first.start, second.end, low + high, is_year=False, is_loose=False)
    before = words[first.start - 1].text if first.start else ""
    is_joined = words[second.start].gap == "-" and second.value % 10 == 0 and first.value >= 10
    is_pair = not between and (before in {"in", "since", "of", "year"} or is_joined)
    is_pair = is_pair and words[second.start].gap in {"", "-"}
    if is_pair and 1 <= first.value <= 29 and 10 <= second.value <= 99 and not first.is_year:
        return Quantity(first.start, second.end, first.value * 100 + second.value, is_year=True, is_loose=False)
    return None


def _is_idiom(words: Sequence[Token], quantity: Quantity) -> bool:
    """Whether Chinese numerals count nothing: `十分`, `千万`, a watch of the night, part of a word."""
    if words[quantity.start].text not in HAN_NUMERALS:
        return False
    if quantity.end >= len(words) or words[quantity.end].spaced:
        return False
    after = words[quantity.end].text
    return after in {"更", "分", "下", "定", "切", "般", "旦", "直", "起", "样"} or (
        quantity.value == 1 and after not in HAN_MEASURES
    )
