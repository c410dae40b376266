"""Dates in a claim, whole or in part, in the notations of four languages."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from factcheck.core.numbers import parse_han
from factcheck.core.tokens import Token
from knowledge.text.folding import normalise

MONTHS = {
    normalise(form): number
    for number, forms in enumerate(
        (
            "january jan январь января январе янв يناير",
            "february feb февраль февраля феврале фев فبراير شباط",
            "march mar март марта марте мар مارس آذار",
            "april apr апрель апреля апреле апр أبريل إبريل نيسان",
            "may май мая мае مايو أيار",
            "june jun июнь июня июне июн يونيو يونيه حزيران",
            "july jul июль июля июле июл يوليو يوليه تموز",
            "august aug август августа августе авг أغسطس آب",
            "september sep sept сентябрь сентября сентябре сен сент سبتمبر أيلول",
            "october oct октябрь октября октябре окт أكتوبر",
            "november nov ноябрь ноября ноябре ноя نوفمبر",
            "december dec декабрь декабря декабре дек ديسمبر",
        ),
        start=1,
    )
    for form in forms.split()
}
LEVANTINE = {
    ("كانون", "الثاني"): 1,
    ("تشرين", "الاول"): 10,
    ("تشرين", "الثاني"): 11,
    ("كانون", "الاول"): 12,
}
ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th", "го", "е"})
JOINING = frozenset({"of", "the", "من", "شهر", "месяца"})
YEAR_MARKERS = frozenset(normalise(form) for form in ["year", "год", "года", "году", "г", "سنة", "عام", "العام"])


@dataclass(frozen=True, slots=True)
class PartialDate:
    """What is said of a date; None where nothing is."""

    year: int | None
    month: int | None
    day: int | None

    def agrees_with(self, date: datetime.date) -> bool:
        """Whether all that is said is so."""
        return all(
            said is None or said == true
            for said, true in ((self.year, date.year), (self.month, date.month), (self.day, date.day))
        )


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A date and the words that it takes, [start, end); None for one that can be read in two ways or is none."""

    start: int
    end: int
    date: PartialDate | None


def find_dates(words: Sequence[Token], *, masked: Collection[int] = ()) -> list[DateSpan]:
    """The dates in reading order, none of them over masked words; a year alone is not a date."""
    hidden = frozenset(masked)
    found: list[DateSpan] = []
    place = 0
    while place < len(words):
        span = _read(words, place)
        if span is None or hidden & set(range(span.start, span.end)):
            place += 1
            continue
        found.append(span)
        place = span.end
    return found


def parse_iso_date(text: str) -> datetime.date | None:
    """The day of an ISO date, None for any other text."""
    try:
        return datetime.date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def _read(words: Sequence[Token], place: int) -> DateSpan | None:
    for reader in (_read_numeric, _read_dotted, _read_chinese, _read_day_month, _read_month_day):
        span = reader(words, place)
        if span is not None:
            return span
    return None


def _read_numeric(words: Sequence[Token], place: int) -> DateSpan | None:
    """`1219-09-14`, `14/09/1219`, `9/14/1219`."""
    parts = words[place : place + 3]
    if len(parts) < 3 or any(not part.text.isdigit() for part in parts) or parts[1].gap != parts[2].gap:
        return None
    separator = parts[1].gap
    if separator not in {"-", "/", "–"}:
        return None
    first, second, third = (int(part.text) for part in parts)
    if len(parts[0].text) == 4:
        return DateSpan(place, place + 3, _checked(first, second, third))
    if len(parts[2].text) != 4:
        return None
    return DateSpan(place, place + 3, _day_and_month(first, second, third))


def _read_dotted(words: Sequence[Token], place: int) -> DateSpan | None:
    """`14.09.1219`: always day first."""
    match = re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", words[place].text)
    if match is None:
        return None
    return DateSpan(place, place + 1, _checked(int(match[3]), int(match[2]), int(match[1])))


def _day_and_month(first: int, second: int, year: int) -> PartialDate | None:
    if first == second or second > 12:
        return _checked(year, first, second)
    return _checked(year, second, first) if first > 12 else None


def _read_chinese(words: Sequence[Token], place: int) -> DateSpan | None:
    """`1041年3月2日`, `三月二日`, `1219年9月`."""
    reading: dict[str, int] = {}
    end = place
    for mark in ("年", "月", "日"):
        value, after = _read_chinese_number(words, end)
        if value is None or after >= len(words) or words[after].text not in ({mark, "号"} if mark == "日" else {mark}):
            if mark == "年":
                continue
            break
        reading[mark] = value
        end = after + 1
    if "月" not in reading:
        return None
    return DateSpan(place, end, _checked(reading.get("年"), reading["月"], reading.get("日")))


def _read_chinese_number(words: Sequence[Token], place: int) -> tuple[int | None, int]:
    if place < len(words) and words[place].text.isdigit() and words[place].kind == "number":
        return int(words[place].text), place + 1
    end = place
    while end < len(words) and words[end].kind == "han" and parse_han(words[end].text) is not None:
        end += 1
    return (parse_han("".join(word.text for word in words[place:end])) if end > place else None), end


def _read_day_month(words: Sequence[Token], place: int) -> DateSpan | None:
    """`14 September 1219`, `14th of September`, `21 апреля 1188 года`, `3 حزيران 1240`."""
    day = _read_day(words, place)
    if day is None:
        return None
    number, end = day
    month = _read_month(words, _skip(words, end, JOINING))
    if month is None:
        return None
    year, end = _read_year(words, month[1])
    return DateSpan(place, end, _checked(year, month[0], number))


def _read_month_day(words: Sequence[Token], place: int) -> DateSpan | None:
    """`September 14, 1219`, `September 1219`."""
    month = _read_month(words, place)
    if month is None:
        return None
    day = _read_day(words, month[1])
    if day is not None:
        year, end = _read_year(words, day[1])
        return DateSpan(place, end, _checked(year, month[0], day[0]))
    year, end = _read_year(words, month[1])
    return None if year is None else DateSpan(place, end, _checked(year, month[0], None))


def _read_day(words: Sequence[Token], place: int) -> tuple[int, int] | None:
    if place >= len(words) or not words[place].text.isdigit() or not 1 <= int(words[place].text) <= 31:
        return None
    end = place + 1
    if end < len(words) and words[end].text in ORDINAL_ENDINGS and words[end].gap in {"", "-"}:
        end += 1
    return int(words[place].text), end


def _read_month(words: Sequence[Token], place: int) -> tuple[int, int] | None:
    if place >= len(words):
        return None
    if place + 1 < len(words) and (words[place].text, words[place + 1].text) in LEVANTINE:
        return LEVANTINE[words[place].text, words[place + 1].text], place + 2
    number = MONTHS.get(words[place].text)
    return None if number is None else (number, place + 1)


def _read_year(words: Sequence[Token], place: int) -> tuple[int | None, int]:
    start = _skip(words, place, frozenset(YEAR_MARKERS | {"of", "in"}))
    if start >= len(words) or not words[start].text.isdigit() or not 3 <= len(words[start].text) <= 4:
        return None, place
    end = start + 1
    if end < len(words) and words[end].text in YEAR_MARKERS:
        end += 1
    return int(words[start].text), end


def _skip(words: Sequence[Token], place: int, skipped: frozenset[str]) -> int:
    while place < len(words) and words[place].text in skipped:
        place += 1
    return place


def _checked(year: int | None, month: int | None, day: int | None) -> PartialDate | None:
    """The date if the calendar has such a day."""
    try:
        datetime.date(year or 2000, month or 1, day or 1)
    except ValueError:
        return None
    return PartialDate(year, month, day)
