"""When a coming event is, as people say it in Russian, English, Arabic, Arabizi and Chinese."""

from __future__ import annotations

import calendar
import datetime
import re
from dataclasses import dataclass

from dateutil.relativedelta import relativedelta

from factcheck.instant.core.chinese import is_chinese
from factcheck.instant.core.chinese_dates import find_chinese_date
from factcheck.instant.core.event_days import SaidDay, end_of_month, find_day
from factcheck.instant.core.messages import fold

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
        1: "один одну a an one the واحد wa7ed",
        2: "два две пару пара two couple اثنين tnen etnen",
        3: "три few several несколько three كم كام kam ثلاث ثلاثه تلات tlat talat tlet",
        4: "четыре four اربع اربعه arba3 arbe3",
        5: "пять five خمس خمسه 5ams khams 5amas khamas",
        6: "шесть six ست سته sit sett sitt",
        7: "семь seven سبع سبعه sabe3 sab3",
        8: "восемь eight ثمان ثماني تمن تمان taman tmen",
        9: "девять nine تسع tisa3 tes3",
        10: "десять ten عشر عشره عشرة 3ashar 3asher 3ashr 3ashret",
        11: "одиннадцать eleven",
        12: "двенадцать twelve",
        20: "двадцать twenty عشرين 3eshrin 3eshreen",
    }
)
_UNITS = _table(
    {
        "days": "день дня дней дн денек day days يوم ايام yom youm ayam ayyam eyyam iyyam eyam tiyam",
        "weeks": "неделя неделю недели недель неделек неделькой недельку нед week weeks wk wks اسبوع اسابيع usboo3"
        " osbo3 asabee3 esboo3 osboo3 2osboo3 2isboo3 jem3a asabi3",
        "months": "месяц месяца месяцев месяцок month months mo mos شهر اشهر شهور shahr shahar shaher sha-har sh-har"
        " shhr shuhur shhoor shohoor ashhor ach-hor",
        "years": "год года year years سنه sana sane sene",
        "two_days": "يومين yomen yomein youmen youmein yomain",
        "two_weeks": "اسبوعين esboo3en osbo3en esboo3ein osboo3ein jem3tein 2osboo3ein isboo3en fortnight",
        "two_months": "شهرين shahren shahrein shahrain",
        "six_months": "полгода полгодика",
    }
)
_MONTHS = _table(
    {
        1: "январь января январе january jan янв يناير yanayer",
        2: "февраль февраля феврале february фев فبراير شباط fbrayer febrayer shbat",
        3: "март марта марте march mar مارس اذار mars 2azar azar",
        4: "апрель апреля апреле april apr ابريل نيسان abril nisan nissan ebril",
        5: "май мая мае may مايو ايار mayo ayyar 2ayyar",
        6: "июнь июня июне june jun يونيو يونيه حزيران yonyo yonyu younyo 7zeran 7zayran",
        7: "июль июля июле july jul يوليو يوليه تموز yolyo yolyu youlyo tammouz tammooz",
        8: "август августа августе august авг aug اغسطس اب 2oghostos aghostos 8osts",
        9: "сентябрь сентября сентябре september sept sep сен سبتمبر ايلول aylul eylul sebtember",
        10: "октябрь октября октябре october oct окт اكتوبر oktobar oktober",
        11: "ноябрь ноября ноябре november nov نوفمبر nofember",
        12: "декабрь декабря декабре december dec дек ديسمبر disember desember",
    }
)


def _any(table: dict[str, object]) -> str:
    return "|".join(sorted(map(re.escape, table), key=len, reverse=True))


_RELATIVE = re.compile(
    rf"(?<!\w)(?:через|in|within|after|بعد|خلال|كمان|ba3d|b3d|5ilal|kaman|baad)\s+(?:about\s+|like\s+|around\s+|"
    rf"just\s+|roughly\s+|under\s+|"
    rf"less than\s+|a\s+|примерно\s+|каких-то\s+|где-то\s+|شي\s+|حوالي\s+)*"
    rf"(?:(?P<count>\d{{1,3}}|{_any(_COUNTS)})\s+(?:of\s+)?)?(?P<unit>{_any(_UNITS)})(?!\w)"
)
_DAY_MONTH = re.compile(
    rf"(?<!\w)(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|-?го)?\s+(?:of\s+)?(?P<month>{_any(_MONTHS)})"
    rf"|(?P<month_first>{_any(_MONTHS)})\s+(?:the\s+)?(?P<day_after>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?)(?:\s*,?\s+(?P<year>20\d\d))?(?![\w])"
)
_NUMERIC = re.compile(r"(?<![\d.])(?:(20\d\d)-(\d\d)-(\d\d)|(\d{1,2})[./](\d{1,2})(?:[./](20\d\d))?)(?![\d])")
_MONTH_ONLY = re.compile(
    rf"(?<!\w)(?:в|к|на|in|by|this|next|until|late|early|mid|в конце|в начале|в середине|in late|in early|in mid|"
    rf"في|شهر|بشهر|fi|b|f|fe|bi|shahr|b shahr)[\s-]+(?:شهر\s+)?(?:late\s+|"
    rf"early\s+)?(?P<month>{_any(_MONTHS)})(?!\w)"
)


def find_event_date(text: str, now: datetime.datetime) -> EventDate | None:
    """The first date said in a folded sentence, on or after `now`; None if none is said."""
    for read in (_read_chinese, _read_day_month, _read_numeric, _read_relative, _read_month, _read_day):
        found = read(text, now)
        if found is not None:
            return found
    return None


def _read_chinese(text: str, now: datetime.datetime) -> EventDate | None:
    return _build_date(find_chinese_date(text, now), now) if is_chinese(text) else None


def _read_day(text: str, now: datetime.datetime) -> EventDate | None:
    return _build_date(find_day(text, now), now)


def _build_date(said: SaidDay | None, now: datetime.datetime) -> EventDate | None:
    """A day that was said, or the time that ends with it; of a whole month its number as well."""
    if said is None:
        return None
    if said.is_exact:
        return _on(said.day, now)
    return EventDate(None, _end_of(said.day, now), said.day.month if said.is_month else None)


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
        unit, count = unit.removeprefix("two_"), 2 * count
    if unit == "six_months":
        unit, count = "months", 6
    if unit == "years":
        unit, count = "months", 12 * count
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


def _read_day_month(text: str, now: datetime.datetime) -> EventDate | None:
    """Day and month, in the year that is said or the next in which they come."""
    match = _DAY_MONTH.search(text)
    if match is None:
        return None
    month = int(str(_MONTHS[match["month"] or match["month_first"]]))
    return _on_date(int(match["day"] or match["day_after"]), month, match["year"], now)


def _on_date(day: int, month: int, year: str | None, now: datetime.datetime) -> EventDate | None:
    """The day as it is dated, or coming; None for one that is past or that no calendar has."""
    try:
        found = datetime.date(int(year or now.year), month, day)
    except ValueError:
        return None
    if not year and found < now.date():
        found += relativedelta(years=1)
    return _on(found, now)


def _read_numeric(text: str, now: datetime.datetime) -> EventDate | None:
    match = _NUMERIC.search(text)
    if match is None:
        return None
    year, month, day = (match[1], match[2], match[3]) if match[1] else (match[6], match[5], match[4])
    return _on_date(int(day), int(month), year, now)


def _read_month(text: str, now: datetime.datetime) -> EventDate | None:
    match = _MONTH_ONLY.search(text)
    if match is None:
        return None
    month = int(str(_MONTHS[match["month"]]))
    return _whole_month(now.year + (month < now.month), month, now)


def _whole_month(year: int, month: int, now: datetime.datetime) -> EventDate:
    return EventDate(None, _end_of(end_of_month(datetime.date(year, month, 1)), now), month)


def _on(day: datetime.date, now: datetime.datetime) -> EventDate | None:
    return EventDate(day, _end_of(day, now)) if day >= now.date() else None


def _end_of(day: datetime.date, now: datetime.datetime) -> datetime.datetime:
    return datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), tzinfo=now.tzinfo)
