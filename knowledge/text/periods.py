"""Days and periods that a question names, in every language that has words of time.

Read here and not by dateparser: that takes milliseconds a question, reads no periods ("in March 2023", "the first
weekend of August"), and takes words such as "may" and "sat" for dates. One pass of regular expressions takes 0.1 ms.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from knowledge.text.folding import normalise
from knowledge.text.languages import DIALOGUE_WORDS, DialogueWords, list_written

MIN_YEAR, MAX_YEAR = 1900, 2100
NEVER = "(?!)"
"""An expression for words that a language does not have."""
_MAX_PERIODS = 8
_TENS = {"十": 10, **{character: place for place, character in enumerate("一二三四五六七八九", start=1)}}
_SEASON_MONTHS = (12, 3, 6, 9)
_PART_DAYS = 12
"""The beginning, the middle and the end of a month, each with a margin."""


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` to `last`. Without `has_year` it comes back every year, and is given for the year 2000."""

    first: dt.date
    last: dt.date
    has_year: bool = True

    def measure_days(self, day: dt.date) -> int:
        """Days from the period to a day: 0 within it, positive after it, negative before it; the nearest year's."""
        if self.has_year:
            return _measure(self.first, self.last, day)
        shift = [day.year + offset - self.first.year for offset in (-1, 0, 1)]
        return min((_measure(_move(self.first, by), _move(self.last, by), day) for by in shift), key=_distance)


def find_periods(text: str, *, today: dt.date) -> list[Period]:
    """The periods that a text names, relative ones ("last week", "два дня назад") counted from `today`."""
    folded = normalise(text)[:4_000]
    found: list[Period] = []
    for words in list_written(folded):
        found += _find_relative(folded, words, today)
    hidden = folded
    for read in (_read_numeric, _read_months, _read_seasons, _read_years):
        periods, hidden = _take(read, hidden)
        found += periods
    return list(dict.fromkeys(found))[:_MAX_PERIODS]


_Read = Callable[[str], Iterator[tuple[int, int, Period]]]


def _take(read: _Read, text: str) -> tuple[list[Period], str]:
    """What a reader finds, and the text with that blanked out for the readers after it."""
    periods = []
    for start, end, period in read(text):
        periods.append(period)
        text = text[:start] + " " * (end - start) + text[end:]
    return periods, text


_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)")
_YEAR = re.compile(r"(?<![\d.,:/-])((?:19|20)\d\d)(?:\s*[-–/]\s*((?:19|20)?\d\d))?(?![\d:%a-z]|[.,-]\d)")


def _read_numeric(text: str) -> Iterator[tuple[int, int, Period]]:
    """`2023-10-03`, `03.10.2023`; `10/3/2023` is month first where it can be, as slashes mostly are."""
    for match in _ISO.finditer(text):
        yield from _checked(match, int(match[1]), int(match[2]), int(match[3]))
    for match in _DAY_FIRST.finditer(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        is_month_first = match[2] == "/" and first <= 12
        yield from _checked(match, year, *((first, second) if is_month_first else (second, first)))


def _checked(match: re.Match[str], year: int, month: int, day: int) -> Iterator[tuple[int, int, Period]]:
    date = _make_date(year, month, day)
    if date is not None:
        yield match.start(), match.end(), _widen(match.string, match.start(), match.end(), Period(date, date))


def _read_months(text: str) -> Iterator[tuple[int, int, Period]]:
    """`3 October 2023`, `October 3`, `early March`, `в начале марта`, `3 مارس 2023`, `2023年10月3日`."""
    written = list_written(text)
    for words, pattern, numbers in _list_month_patterns():
        if words not in written:
            continue
        for match in pattern.finditer(text):
            month = next(number for form, number in numbers if form.fullmatch(match["month"]))
            day, year = _read_number(match["day"] or match["after"]), _read_year(match["year"] or match["before"])
            if words.month_needs_context and _is_everyday_word(match, words, day, year):
                continue
            period = _make_month(month, day, year, _name_part(match, words))
            if period is not None:
                yield match.start(), match.end(), _widen(text, match.start(), match.end(), period)


@cache
def _list_month_patterns() -> list[tuple[DialogueWords, re.Pattern[str], list[tuple[re.Pattern[str], int]]]]:
    patterns = []
    for words in DIALOGUE_WORDS.values():
        months = "|".join(words.months)
        of_month, of_year, year_noun = (each or NEVER for each in (words.of_month, words.of_year, words.year_noun))
        numbers = [(re.compile(form), number) for number, form in enumerate(words.months, start=1)]
        if not words.is_spaced:
            pattern = re.compile(
                r"(?:(?P<before>\d{4})\s*年\s*)?(?P<month>(?<![\d一二三四五六七八九十])(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s*月份?)"
                rf"(?:\s*(?P<day>\d{{1,2}}|[一二三四五六七八九十]{{1,3}})\s*[日号號]|(?P<part_after>{words.early}|{words.middle}|{words.late}))?"
                r"(?P<after>(?!))?(?P<year>(?!))?(?P<part>(?!))?"
            )
        else:
            pattern = re.compile(
                rf"(?:(?<![\w.,:])(?P<part>{words.early}|{words.middle}|{words.late})\b[\s-]*(?:\w+\s+){{0,2}}?)?"
                rf"(?:(?<![\w.,:])(?P<day>\d{{1,2}})(?:st|nd|rd|th|-?го|-?е|-?ого|º)?\s+(?:(?:{of_month})\s+)*)?"
                rf"(?<!\w)(?:[بلو](?=[\u0600-\u06ff]))?(?P<month>{months})\b\.?"
                r"(?:\s+(?:the\s+)?(?P<after>\d{1,2})(?:st|nd|rd|th)?(?![\d:.]|\s*(?:%|am|pm)))?"
                rf"(?:\s*,?\s*(?:(?:{of_year})\s+)?(?P<year>(?:19|20)\d\d)(?!\d)(?:\s*(?:{year_noun})\b)?)?"
                r"(?P<before>(?!))?(?P<part_after>(?!))?"
            )
        patterns.append((words, pattern, numbers))
    return patterns


def _is_everyday_word(match: re.Match[str], words: DialogueWords, day: int | None, year: int | None) -> bool:
    """Whether `may` or `march` is no month here: without a number beside it or a preposition before it."""
    if match["month"] not in words.month_needs_context or day is not None or year is not None or match["part"]:
        return False
    before = match.string[: match.start()].split()
    return not before or re.fullmatch(words.month_prepositions, before[-1]) is None


def _name_part(match: re.Match[str], words: DialogueWords) -> str:
    said = match["part"] or match["part_after"]
    if not said:
        return ""
    return next(name for name in ("early", "middle", "late") if re.fullmatch(getattr(words, name), said))


def _make_month(month: int, day: int | None, year: int | None, part: str) -> Period | None:
    true_year = 2000 if year is None else year
    if day is not None:
        date = _make_date(true_year, month, day)
        return None if date is None else Period(date, date, year is not None)
    last_day = calendar.monthrange(true_year, month)[1]
    first, last = {
        "early": (1, _PART_DAYS), "middle": (10, 21), "late": (last_day - _PART_DAYS, last_day), "": (1, last_day)
    }[part]  # fmt: skip
    return Period(dt.date(true_year, month, first), dt.date(true_year, month, last), year is not None)


def _read_seasons(text: str) -> Iterator[tuple[int, int, Period]]:
    """`in the summer of 2023`, `летом 2023 года`, `صيف 2023`, `2023年夏天`; without a year, every year's."""
    for words in list_written(text):
        for pattern, month in _list_season_patterns(words):
            for match in pattern.finditer(text):
                year = _read_year(match["year"] or match["before"])
                first = dt.date(2000 if year is None else year, month, 1)
                yield match.start(), match.end(), Period(first, first + dt.timedelta(days=91), year is not None)


@cache
def _list_season_patterns(words: DialogueWords) -> list[tuple[re.Pattern[str], int]]:
    spaced = words.is_spaced
    before = r"(?P<before>(?!))?(?<!\w)[بلو]?" if spaced else r"(?:(?P<before>(?:19|20)\d\d)\s*年\s*)?"
    after = rf"(?:\s*(?:(?:{words.of_year or NEVER})\s+)?(?P<year>(?:19|20)\d\d)(?!\d))?"
    edge = r"(?!\w)" if spaced else ""
    return [
        (re.compile(f"{before}(?:{form}){edge}{after}"), month)
        for form, month in zip(words.seasons, _SEASON_MONTHS, strict=True)
    ]


def _read_years(text: str) -> Iterator[tuple[int, int, Period]]:
    """`in 2022`, `early 2022`, `2021 - 2022`."""
    for match in _YEAR.finditer(text):
        first = int(match[1])
        last = first if match[2] is None else int(match[2]) + (100 * (first // 100) if len(match[2]) == 2 else 0)
        if not MIN_YEAR <= first <= last <= MAX_YEAR:
            continue
        period = Period(dt.date(first, 1, 1), dt.date(last, 12, 31))
        if first == last:
            period = _narrow_year(text, match, first, period)
        yield match.start(), match.end(), period


def _narrow_year(text: str, match: re.Match[str], year: int, period: Period) -> Period:
    """`early 2022`, `the first week of 2024`, `в конце 2023 года`, `2023年底`."""
    before, after = text[max(0, match.start() - _EITHER_SIDE) : match.start()], text[match.end() : match.end() + 6]
    for words in list_written(text):
        for part, (first, last) in zip((words.early, words.middle, words.late), _YEAR_PARTS, strict=True):
            if words.is_spaced:
                units, joined = "|".join(words.units), words.of_year or NEVER
                found = re.search(
                    rf"(?<!\w)(?:{part})(?P<unit>\s+(?:{units}))?(?:\s+(?:of|the|in|من|في|{joined}))*\s*$", before
                )
            else:
                found = re.match(rf"年?(?:{part})(?P<unit>(?!))?", after)
            if found and found["unit"] and re.fullmatch(words.units[1], found["unit"].strip()):
                return Period(dt.date(year, 1, 1), dt.date(year, 1, 9)) if first == 1 else period
            if found:
                return Period(dt.date(year, first, 1), dt.date(year, last, calendar.monthrange(year, last)[1]))
    return period


_EITHER_SIDE = 24
_UNIT_DAYS = (1, 7, 31, 366)
_YEAR_PARTS = ((1, 3), (5, 8), (10, 12))


def _widen(text: str, start: int, end: int, period: Period) -> Period:
    """`two weeks before August 11`: the period from then to the day itself, when it may have been said."""
    before, after = text[max(0, start - _EITHER_SIDE) : start], text[end : end + _EITHER_SIDE]
    for words in list_written(text):
        for unit, days in zip(words.units, _UNIT_DAYS, strict=True):
            count = rf"(?P<count>\d{{1,2}}|{'|'.join(words.counts)})?"
            match = re.search(rf"(?<!\w){count}\s*(?:{unit})\s+(?:{words.before or NEVER})\s+(?:\w+\s+)?$", before)
            match = match or re.match(rf"的?(?:之|以)?前{count}个?(?:{unit})", after)
            if match:
                back = dt.timedelta(days=int(days * (_read_count(match["count"], words) + 0.5)))
                return Period(period.first - back, period.last, period.has_year)
    return period


def _find_relative(text: str, words: DialogueWords, today: dt.date) -> Iterator[Period]:
    """`yesterday`, `last week`, `3 days ago`, in one language."""
    near, ago, last, this = _list_relative_patterns(words)
    for pattern, distance in near:
        if pattern.search(text):
            day = today + dt.timedelta(days=distance)
            yield Period(day, day)
            break
    for place, (unit_ago, unit_last, unit_this) in enumerate(zip(ago, last, this, strict=True)):
        if (match := unit_ago.search(text)) is not None:
            days = _UNIT_DAYS[place] * _read_count(match["count"], words)
            middle = today - dt.timedelta(days=min(days, 36_500))
            margin = dt.timedelta(days=_UNIT_DAYS[place] // 2)
            yield Period(middle - margin, middle + margin)
        elif unit_last.search(text):
            yield _last_unit(place, today)
        elif unit_this.search(text):
            first = _start_of(place, today)
            yield Period(first, today)


@cache
def _list_relative_patterns(
    words: DialogueWords,
) -> tuple[list[tuple[re.Pattern[str], int]], list[re.Pattern[str]], list[re.Pattern[str]], list[re.Pattern[str]]]:
    edges = (r"(?<!\w)", r"(?!\w)") if words.is_spaced else ("", "")
    count = rf"(?P<count>\d{{1,3}}|{'|'.join(words.counts)})"

    def compile_all(template: str) -> list[re.Pattern[str]]:
        return [
            re.compile(edges[0] + template.replace("{count}", count).replace("{unit}", f"(?:{unit})") + edges[1])
            for unit in words.units
        ]

    near = [(re.compile(f"{edges[0]}(?:{form}){edges[1]}"), distance) for form, distance in words.nearby]
    return near, compile_all(words.ago), compile_all(words.last), compile_all(words.this)


def _last_unit(place: int, today: dt.date) -> Period:
    last = _start_of(place, today) - dt.timedelta(days=1)
    return Period(_start_of(place, last), last)


def _start_of(place: int, day: dt.date) -> dt.date:
    """The first day of the day, week, month or year."""
    if place == 0:
        return day
    if place == 1:
        return day - dt.timedelta(days=day.weekday())
    return day.replace(day=1) if place == 2 else day.replace(month=1, day=1)


def _read_count(said: str | None, words: DialogueWords) -> int:
    if not said:
        return 1
    if said.isdigit():
        return int(said)
    return next((count for count, form in enumerate(words.counts, start=1) if re.fullmatch(form, said)), 1)


def _read_number(said: str | None) -> int | None:
    """Digits, or Chinese numbers to 31."""
    if said is None:
        return None
    if said.isdigit() and said.isascii():
        return int(said)
    tens, mark, ones = said.rpartition("十")
    if not mark:
        return _TENS.get(said)
    return (_TENS.get(tens, 1) if tens else 1) * 10 + _TENS.get(ones, 0)


def _read_year(said: str | None) -> int | None:
    return None if said is None or not MIN_YEAR <= int(said) <= MAX_YEAR else int(said)


def _make_date(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day) if MIN_YEAR <= year <= MAX_YEAR else None
    except ValueError:
        return None


def _move(day: dt.date, years: int) -> dt.date:
    year = day.year + years
    return day.replace(year=year, day=min(day.day, calendar.monthrange(year, day.month)[1]))


def _measure(first: dt.date, last: dt.date, day: dt.date) -> int:
    if first <= day <= last:
        return 0
    return (day - last).days if day > last else (day - first).days


def _distance(days: int) -> tuple[int, int]:
    return abs(days), -days
