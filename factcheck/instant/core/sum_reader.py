"""Sums that the author of a sentence can spend, read without a pattern: amount, currency, range, what it is for."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from factcheck.instant.core.messages import FoldedMessage, fold
from factcheck.instant.core.money import name_currency
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.purposes import find_purpose
from factcheck.instant.core.reader_words import compile_phrases, read_group
from factcheck.instant.core.spoken_numbers import SpokenNumber, list_numbers
from factcheck.instant.core.value_types import ReadValue

_MAX_SUMS = 6
_BORDER = re.compile(
    r"[;:()\[\]—]|[,،](?!\d)|\s[-–]+\s|(?<![\w'])(?:但|但是|不过|因为|所以|but|so|because|cause|cuz|while|though|а|но|зато|хотя|потому|"
    r"بس لو|لكن|عشان|"
    r"3ashan|lakin)(?![\w'])"
)
_AFTER = re.compile(r"\s{0,2}(us\$|[$€£¥₽₹₺₴₸₪₩₫₱₦฿]|zł|kč|[^\W\d_]+)")
_BEFORE = re.compile(
    r"((?<!\w)(?:us|ca|a|nz|hk|nt|mx|s|c|r)\$|(?<!\w)r(?=$)|[$€£¥₽₹₺₴₸₪₩₫₱₦฿]|(?<![\w'])[^\W\d_]{2,})\s{0,2}$"
)
_THOUSANDS_NOUN = re.compile(r"(?:десят|двадцат|тридцат)к[ауи]|(?:пятер|семер|восьмер)к[ау]|полтинник\w?")
"""Slang for so many thousands."""
_THOUSANDS_BEHIND = re.compile(r"\s?(?:штук[аиу]?|кус(?:ок|ка|ков))(?!\w|\s+по(?!\w))")
"""Slang for thousands that means pieces elsewhere: «40 кусков»."""
_NOTES = re.compile(r"(?:tenner|fiver)s?$")
_SECOND_WORD = re.compile(r"\s+([^\W\d_]+)")
_COUNTRIES = {fold(name): code for code, names in read_group("currency_countries").items() for name in names.split()}
"""What is said behind a unit that several countries have, to the currency: دينار كويتي."""
_RANGE = re.compile(r"\s{0,2}(?:-|–|—|to|till|or|до|или|الي|ل|لل|و|لحد|la|l|w|and|aw|او|到|至|~)\s{0,2}(?:[$€£]\s?)?")
_RANGE_WITH_AND = re.compile(r"(?<!\w)(?:between|между|بين|ben|bein|beyn|bain|bayn|bin)\s+\S{0,3}$")
_JOINED_L = re.compile(r"(?<=\s)ل(?=\d)")
_NOT_THIS = re.compile(
    r"(?<![\w'])(?:不是|not|isn't|aren't|не|مو|مش|msh|mish|instead of|вместо|was|were|был\w*|كان\w*|kan\w*)(?:\s+(?:a|"
    r"an))?\s*$"
)
_NEXT_WORD = re.compile(r"[\s-]*([^\W\d_]+|%)")
_FOR_PRICE = re.compile(r"(?<!\w)(?:ب|b|bi|be)\s?$")
_COUNTED_BEFORE = re.compile(
    r"(?<!\w)(?:level|lvl|page|room|chapter|floor|flat|bus|number|no|size|age|year|season|episode|until|till|лвл|"
    r"уровень|уровня|размер|дом|квартира"
    r"|номер|глава|страница|этаж|час|часов|سنه|لفل|مستوي|رقم|صفحه|الساعه|مقاس|level|sa3a|size|ma2as|ra2am)\s*$"
)
_THOUSANDS = re.compile(r"\d[kк]|\dт\.?\s?р|\d т\.?\s?р|тыс|тыщ|косар|штук|grand|thousand|الف|الاف|alf|alaf")
_RATE = re.compile(
    r"\s?(?:a|per|/|each)\s?(?:head|person|meal|pop|night|plate|piece|guest|day|week|month|session|bottle)(?!\w)"
)
_ON = re.compile(r"\s+on\s")
_CERTAIN_AMOUNT, _LIKELY_AMOUNT, _MIN_AMOUNT, _SHORT_CLAUSE = 1000, 100, 15, 4
"""From the first on a bare number is money beside a limit, from the second on beside a word for spending; below the
least only where it is for something."""
_MIN_EXPECTED = 5
_YEARS = range(1900, 2101)
_DIGIT_MARK = re.compile(r"[\d/:.]$|#\s?$|№\s?$")
_TIME_OR_DATE = re.compile(r"\s?(?:[:/]\d|\.\d\d?\.|-?(?:st|nd|rd|th|го|е|й|ый|ого|ому)(?!\w))")

_OUTCRY = re.compile(r"\s?(?:for|за|علي|3a?la)\s[^.!?؟\n]{2,40}(?:!|[?؟!]{2})")
"""Behind a sum with which a sentence begins: a price that its author is cross about, "600 dh 3la sebbat??"."""


@dataclass(frozen=True, slots=True)
class _Sum:
    start: int
    end: int
    value: str
    currency: str
    clause: Span
    has_cue: bool = False


def read_sums(message: FoldedMessage, span: Span, *, is_expected: bool = False) -> list[ReadValue]:
    """What the author can spend, by what it is for: `general`, `shoes`; of a range the upper bound.

    A sum needs a currency, or words that say that it is spent or the most. Prices, debts and earnings are none.
    `is_expected`: it is known that the sentence states a budget; then a sum beside a price counts, and so does a bare
    number that counts nothing, where there is no other sum.
    """
    sums = list(_list_sums(message, span))
    if not sums and is_expected:
        sums = list(_list_sums(message, span, is_expected=True))[:1]
    if any(each.has_cue for each in sums):
        sums = [each for each in sums if each.has_cue]
    found: dict[str, ReadValue] = {}
    for each in sums:
        where = each.clause if len(sums) > 1 else span
        key = find_purpose(message.text, each.end, where) or "general"
        found.setdefault(key, ReadValue(key, f"{each.value} {each.currency}".strip(), each.start, each.end))
    return sorted(found.values(), key=lambda value: value.start)


def read_stated_sum(message: FoldedMessage, place: Span) -> ReadValue | None:
    """The first sum at a place of the folded text of which it is known that it states what the author can spend; of a
    range the upper bound.
    """
    text, (begin, last) = message.text, message.sentence(*place)
    span = (max(begin, place[0]), last)
    first, number = next(_list_amounts(text, list_numbers(text, *span, is_stated=True)), (None, None))
    if first is None or number is None or first.start >= place[1] or number.value < 1:
        return None
    if _NOT_THIS.search(text[begin : first.start]):
        return None
    behind = _THOUSANDS_BEHIND.match(text, number.end, last) if number.value < 1000 else None
    said = replace(number, end=behind.end(), value=number.value * 1000) if behind else number
    start, end, currency = _find_currency(message, first, said, (begin, last))
    if _is_outcry(text, begin, start, end):
        return None
    shown = said.shown if currency else _scale_slang(text, said).shown
    key = find_purpose(text, end, _find_clause(text, start, end, (begin, last))) or "general"
    return ReadValue(key, f"{shown} {currency}".strip(), start, end)


def read_upper_bound(text: str) -> tuple[str, str] | None:
    """Of the first range in a folded text the upper bound and its currency, which may be empty: "40 to 60 quid"."""
    message, span = FoldedMessage(text, text), (0, len(text))
    ranges = (pair for pair in _list_amounts(text, list_numbers(text, *span, is_stated=True)) if pair[0] is not pair[1])
    first, number = next(ranges, (None, None))
    if first is None or number is None or number.value <= first.value:
        return None
    return number.shown, _find_currency(message, first, number, span)[2]


def list_amounts(text: str) -> list[str]:
    """Every sum that a folded text names with its currency, of a range the upper bound: "under $50 or up to $100"."""
    message, span = FoldedMessage(text, text), (0, len(text))
    pairs = _list_amounts(text, list_numbers(text, *span, is_stated=True))
    return [f"{number.shown} {_find_currency(message, first, number, span)[2]}".strip() for first, number in pairs]


def _list_sums(message: FoldedMessage, span: Span, *, is_expected: bool = False) -> Iterator[_Sum]:
    text = message.text
    for first, number in itertools.islice(_list_amounts(text, list_numbers(text, *span)), _MAX_SUMS * 3):
        sum_ = _make_sum(message, first, number, span, is_expected=is_expected)
        if sum_ is not None:
            yield sum_


def _list_amounts(text: str, numbers: Sequence[SpokenNumber]) -> Iterator[tuple[SpokenNumber, SpokenNumber]]:
    """Each number twice; of a range its lower bound and its upper one."""
    index = 0
    while index < len(numbers):
        number = numbers[index]
        following = numbers[index + 1] if index + 1 < len(numbers) else None
        if following and _is_range(text, number, following):
            yield number, _scale_like(following, number)
            index += 1
        else:
            yield number, number
        index += 1


def _make_sum(
    message: FoldedMessage, first: SpokenNumber, number: SpokenNumber, span: Span, *, is_expected: bool
) -> _Sum | None:
    text = message.text
    start, end, currency = _find_currency(message, first, number, span)
    clause = _find_clause(text, start, end, span)
    said = text[clause[0] : clause[1]]
    if number.value < 1 or _DIGIT_MARK.search(text[span[0] : start]) or _NOT_THIS.search(text[clause[0] : start]):
        return None
    spends, limits, may = (_has_cue(said, name) for name in ("spend", "limit", "maybe"))
    is_hard = spends or _has_cue(said, "hard_limit")
    if not (is_hard or is_expected) and _is_price(text, clause, start, said):
        return None
    if not is_hard and _is_outcry(text, span[0], start, end):
        return None
    is_free = is_expected and not _counts(text, clause, number)
    if (
        not currency
        and not is_free
        and not _is_sum_without_currency(text, clause, number, is_sure=spends or limits, may=may)
    ):
        return None
    shown = number.shown if currency else _scale_slang(text, number).shown
    return _Sum(start, end, shown, currency, clause, has_cue=spends or limits)


def _scale_slang(text: str, number: SpokenNumber) -> SpokenNumber:
    """A number in slang for thousands («десятка») in full, where no currency stands beside it."""
    is_slang = _THOUSANDS_NOUN.fullmatch(text[number.start : number.end]) is not None
    return replace(number, value=number.value * 1000) if is_slang else number


def _has_cue(said: str, name: str) -> bool:
    return compile_phrases("sum_cues", name).search(said) is not None


def _is_price(text: str, clause: Span, start: int, said: str) -> bool:
    """Whether a clause tells a price, a debt or earnings: by its words, or by the Arabic "for" before the sum."""
    if compile_phrases("sum_refusals").search(said):
        return True
    return _FOR_PRICE.search(text[clause[0] : start]) is not None


def _is_outcry(text: str, begin: int, start: int, end: int) -> bool:
    """Whether a sum begins its sentence and is a price that the author is cross about."""
    return not text[begin:start].strip(" ,") and _OUTCRY.match(text, end) is not None


def _counts(text: str, clause: Span, number: SpokenNumber) -> bool:
    """Whether a number is a time, a date, a level or so many of something, and no sum."""
    if _TIME_OR_DATE.match(text, number.end) or _is_counted(text, number.end, clause):
        return True
    return number.value < _MIN_EXPECTED or _COUNTED_BEFORE.search(text[clause[0] : number.start]) is not None


def _is_sum_without_currency(text: str, clause: Span, number: SpokenNumber, *, is_sure: bool, may: bool) -> bool:
    """Whether a bare number is money: thousands, or a number beside a limit that counts nothing."""
    if _counts(text, clause, number):
        return False
    is_alone = text[number.start : number.end].isalpha() and number.value in (1000, 1_000_000)
    if is_alone and not is_sure:
        return False
    is_thousands = _THOUSANDS.search(text[number.start : number.end]) is not None
    purpose = find_purpose(text, number.end, clause)
    is_rate = _RATE.match(text, number.end) is not None
    if is_rate and (is_sure or may):
        return True
    is_meant = is_sure or may or (purpose is not None and not _ON.match(text, number.end))
    if is_thousands and (is_meant or len(text[slice(*clause)].split()) <= _SHORT_CLAUSE):
        return True
    if not is_sure:
        return False
    least = _LIKELY_AMOUNT if _has_cue(text[slice(*clause)], "spend") else _CERTAIN_AMOUNT
    if number.value >= least and number.value not in _YEARS:
        return True
    is_bare = _is_bare(text, clause, number)
    return is_bare and (number.value >= _MIN_AMOUNT or purpose is not None)


def _find_currency(
    message: FoldedMessage, first: SpokenNumber, number: SpokenNumber, span: Span
) -> tuple[int, int, str]:
    """Where a sum begins and ends with its currency, and the currency, empty for none."""
    text = message.text
    if _NOTES.search(text[first.start : number.end]):
        return first.start, number.end, "GBP"
    before = _BEFORE.search(text[span[0] : first.start])
    if before:
        place = span[0] + before.start(1)
        currency = name_currency(before[1], message.quote(place, place + len(before[1])))
        if currency and not (before[1].isalpha() and _names_number(text, place, span)):
            return place, number.end, currency
    after = _AFTER.match(text, number.end, span[1])
    if after:
        currency = name_currency(after[1], message.quote(after.start(1), after.end(1)))
        second = _SECOND_WORD.match(text, after.end(), span[1])
        if currency and second and second[1] in _COUNTRIES:
            return first.start, second.end(), _COUNTRIES[second[1]]
        if currency:
            return first.start, after.end(), currency
        if second and after[1] in _ADJECTIVES:
            currency = name_currency(second[1])
            if currency:
                return first.start, second.end(), currency
    return first.start, number.end, ""


_ADJECTIVES = frozenset(read_group("currency_adjectives")["words"].split())


def _names_number(text: str, place: int, span: Span) -> bool:
    """Whether a currency's word before a number has its own number before it: "100 euros 2 coats"."""
    return re.search(r"\d\s?$", text[span[0] : place]) is not None


def _is_range(text: str, first: SpokenNumber, second: SpokenNumber) -> bool:
    between = text[first.end : second.start]
    joint = _RANGE.fullmatch(between) or _RANGE.fullmatch(re.sub(r"^\s?(?:[$€£₽]|[^\W\d_]+)", "", between))
    rises = not between.strip() and text.startswith("ل", second.start) and first.value < second.value
    if (joint is None and not rises) or second.value <= 0:
        return False
    if between.strip() in ("and", "w", "و", "и") and not _RANGE_WITH_AND.search(text[: first.start]):
        return False
    return first.value <= second.value or first.value / second.value >= 1000 or second.in_digits != first.in_digits


def _scale_like(second: SpokenNumber, first: SpokenNumber) -> SpokenNumber:
    """The upper bound of a range, in the thousands of the lower one where only that says so."""
    if first.value >= 1000 * second.value:
        return replace(second, start=first.start, value=second.value * 1000)
    return replace(second, start=first.start)


def _find_clause(text: str, start: int, end: int, span: Span) -> Span:
    first, last = span
    for border in _BORDER.finditer(text, span[0], start):
        first = border.end()
    border_after = _BORDER.search(text, end, span[1])
    return first, border_after.start() if border_after else last


def _is_counted(text: str, end: int, span: Span) -> bool:
    """Whether a unit or a thing stands behind a number: "5 minutes", "3 cats"."""
    match = _NEXT_WORD.match(text, end, span[1])
    return match is not None and (match[1] == "%" or compile_phrases("sum_units").match(match[1]) is not None)


def _is_bare(text: str, clause: Span, number: SpokenNumber) -> bool:
    """Whether nothing that it could count stands behind a number: "under 60", "max 200 for it"."""
    after = _NEXT_WORD.match(text, number.end, clause[1])
    return after is None or compile_phrases("sum_followers").match(after[1]) is not None
