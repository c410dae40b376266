"""When a coming event is, as people say it in Russian, English, Arabic and Arabizi."""

from __future__ import annotations

import calendar
import datetime
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dateutil.relativedelta import relativedelta

from factcheck.core.instant.messages import fold
from memoryproject.lazy_modules import LazyModule

if TYPE_CHECKING:
    import dateparser
else:
    dateparser = LazyModule("dateparser")

DAYS_WITHOUT_DATE = 30


@dataclass(frozen=True, slots=True)
class EventDate:
    """The day of an event (None if unsaid), when the fact about it ends, and the month if only that was said."""

    day: datetime.date | None
    expires_at: datetime.datetime
    month: int | None = None


def _table(rows: dict[object, str]) -> dict[str, object]:
    return {fold(word): value for value, words in rows.items() for word in words.split()}


_COUNTS = _table(
    {
        1: "один одну a an one واحد wa7ed",
        2: "два две пару two couple اثنين tnen etnen",
        3: "три three ثلاث ثلاثه تلات tlat talat",
        4: "четыре four اربع اربعه arba3",
        5: "пять five خمس خمسه 5ams khams",
        6: "шесть six ست سته sit",
        7: "семь seven سبع سبعه",
        8: "восемь eight",
        9: "девять nine",
        10: "десять ten عشر عشره",
    }
)
_UNITS = _table(
    {
        "days": "день дня дней дн day days يوم ايام yom youm ayam",
        "weeks": "неделя неделю недели недель нед week weeks اسبوع اسابيع usboo3 osbo3 asabee3 esboo3",
        "months": "месяц месяца месяцев month months شهر اشهر شهور shahr shhr shuhur",
        "two_days": "يومين yomen",
        "two_weeks": "اسبوعين esboo3en osbo3en",
        "two_months": "شهرين shahren",
    }
)
_MONTHS = _table(
    {
        1: "январь января январе january jan يناير yanayer",
        2: "февраль февраля феврале february feb فبراير fbrayer",
        3: "март марта марте march mar مارس mars",
        4: "апрель апреля апреле april apr ابريل abril",
        5: "май мая мае may مايو mayo",
        6: "июнь июня июне june jun يونيو yonyo",
        7: "июль июля июле july jul يوليو yolyo",
        8: "август августа августе august aug اغسطس",
        9: "сентябрь сентября сентябре september sept sep سبتمبر",
        10: "октябрь октября октябре october oct اكتوبر",
        11: "ноябрь ноября ноябре november nov نوفمبر",
        12: "декабрь декабря декабре december dec ديسمبر",
    }
)
_WEEKDAYS = _table(
    {
        0: "понедельник monday الاثنين",
        1: "вторник tuesday الثلاثاء",
        2: "среду среда wednesday الاربعاء",
        3: "четверг thursday الخميس 5amees",
        4: "пятницу пятница friday الجمعه jum3a jom3a",
        5: "субботу суббота saturday السبت sabt",
        6: "воскресенье sunday الاحد",
    }
)
_NEAR = _table(
    {0: "сегодня today tonight اليوم elyom", 1: "завтра tomorrow tmrw غدا بكره بكرا bukra bokra", 2: "послезавтра"}
)


def _any(table: dict[str, object]) -> str:
    return "|".join(sorted(map(re.escape, table), key=len, reverse=True))


_RELATIVE = re.compile(
    rf"(?<!\w)(?:через|in|within|after|بعد|خلال|ba3d|b3d|5ilal)\s+(?:about\s+|примерно\s+)?"
    rf"(?:(?P<count>\d{{1,3}}|{_any(_COUNTS)})\s+(?:of\s+)?)?(?P<unit>{_any(_UNITS)})(?!\w)"
)
_NEXT = re.compile(
    r"(?<!\w)(?:(?:next|на следующей|в следующем|на будущей)\s+(?P<unit>week|month|неделе|месяце)"
    r"|(?P<arabic_unit>الاسبوع|الشهر|esboo3|shahr)\s+(?:الجاي|القادم|المقبل|الياي|eljay|jay))(?!\w)"
)
_DAY_MONTH = re.compile(
    rf"(?<!\w)(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|-?го)?\s+(?:of\s+)?(?P<month>{_any(_MONTHS)})"
    rf"|(?P<month_first>{_any(_MONTHS)})\s+(?:the\s+)?(?P<day_after>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?)(?:\s*,?\s+(?P<year>20\d\d))?(?![\w])"
)
_NUMERIC = re.compile(r"(?<![\d.])(?:(20\d\d)-(\d\d)-(\d\d)|(\d{1,2})[./](\d{1,2})(?:[./](20\d\d))?)(?![\d])")
_MONTH_ONLY = re.compile(rf"(?<!\w)(?:в|in|this|next|في|شهر|fi|b|f)\s+(?:شهر\s+)?(?P<month>{_any(_MONTHS)})(?!\w)")
_WEEKDAY = re.compile(
    rf"(?<!\w)(?:в|во|on|this|next|يوم|yom|youm)\s+(?:el\s+|al\s+)?(?:эту\s+"
    rf"|следующую\s+)?(?P<day>{_any(_WEEKDAYS)})(?!\w)"
)
_TOMORROW = re.compile(rf"(?<!\w)(?P<near>{_any(_NEAR)})(?!\w)")


def find_event_date(text: str, now: datetime.datetime) -> EventDate | None:
    """The first date said in a folded sentence, on or after `now`; None if none is said."""
    for read in (_read_relative, _read_day_month, _read_numeric, _read_next, _read_month, _read_weekday, _read_near):
        found = read(text, now)
        if found is not None:
            return found
    return None


def without_date(now: datetime.datetime) -> EventDate:
    """What holds for an event whose date was not said."""
    return EventDate(None, now + datetime.timedelta(days=DAYS_WITHOUT_DATE))


def month_name(month: int) -> str:
    """`july` for 7."""
    return calendar.month_name[month].lower()


def _read_relative(text: str, now: datetime.datetime) -> EventDate | None:
    match = _RELATIVE.search(text)
    if match is None:
        return None
    unit = str(_UNITS[match["unit"]])
    count = _count(match["count"])
    if unit.startswith("two_"):
        unit, count = unit.removeprefix("two_"), 2
    return _after(now, unit, count)


def _count(word: str | None) -> int:
    if word is None:
        return 1
    return int(word) if word.isdigit() else int(str(_COUNTS[word]))


def _after(now: datetime.datetime, unit: str, count: int) -> EventDate:
    step = (
        relativedelta(months=count) if unit == "months" else relativedelta(days=count * (7 if unit == "weeks" else 1))
    )
    moment = now + step
    return EventDate(moment.date(), moment)


def _read_next(text: str, now: datetime.datetime) -> EventDate | None:
    match = _NEXT.search(text)
    if match is None:
        return None
    unit = match["unit"] or match["arabic_unit"]
    if unit in ("week", "неделе", "الاسبوع", "esboo3"):
        sunday = now.date() + datetime.timedelta(days=13 - now.weekday())
        return EventDate(None, _end_of(sunday, now))
    first = now.date().replace(day=1) + relativedelta(months=1)
    return _whole_month(first.year, first.month, now)


def _read_day_month(text: str, now: datetime.datetime) -> EventDate | None:
    """Day and month, read by dateparser after the month is named in English: it knows fewer forms than people do."""
    match = _DAY_MONTH.search(text)
    if match is None:
        return None
    month = int(str(_MONTHS[match["month"] or match["month_first"]]))
    written = f"{match['day'] or match['day_after']} {calendar.month_name[month]} {match['year'] or ''}".strip()
    settings = {"PREFER_DATES_FROM": "future", "RELATIVE_BASE": now.replace(tzinfo=None), "DATE_ORDER": "DMY"}
    parsed = dateparser.parse(written, languages=["en"], settings=settings)
    return _on(parsed.date(), now) if parsed else None


def _read_numeric(text: str, now: datetime.datetime) -> EventDate | None:
    match = _NUMERIC.search(text)
    if match is None:
        return None
    year, month, day = (match[1], match[2], match[3]) if match[1] else (match[6], match[5], match[4])
    try:
        found = datetime.date(int(year or now.year), int(month), int(day))
    except ValueError:
        return None
    if not year and found < now.date():
        found += relativedelta(years=1)
    return _on(found, now)


def _read_month(text: str, now: datetime.datetime) -> EventDate | None:
    match = _MONTH_ONLY.search(text)
    if match is None:
        return None
    month = int(str(_MONTHS[match["month"]]))
    return _whole_month(now.year + (month < now.month), month, now)


def _read_weekday(text: str, now: datetime.datetime) -> EventDate | None:
    match = _WEEKDAY.search(text)
    if match is None:
        return None
    ahead = (int(str(_WEEKDAYS[match["day"]])) - now.weekday()) % 7 or 7
    return _on(now.date() + datetime.timedelta(days=ahead), now)


def _read_near(text: str, now: datetime.datetime) -> EventDate | None:
    match = _TOMORROW.search(text)
    return _on(now.date() + datetime.timedelta(days=int(str(_NEAR[match["near"]]))), now) if match else None


def _whole_month(year: int, month: int, now: datetime.datetime) -> EventDate:
    last = datetime.date(year, month, calendar.monthrange(year, month)[1])
    return EventDate(None, _end_of(last, now), month)


def _on(day: datetime.date, now: datetime.datetime) -> EventDate | None:
    return EventDate(day, _end_of(day, now)) if day >= now.date() else None


def _end_of(day: datetime.date, now: datetime.datetime) -> datetime.datetime:
    return datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), tzinfo=now.tzinfo)
