"""Days said by their number, weekday or season: "on the 20th", «в пятницу», "الخميس الجاي", "b3d bokra"."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass

from dateutil.relativedelta import relativedelta

from factcheck.instant.core.messages import fold
from factcheck.instant.core.spoken_numbers import list_numbers


@dataclass(frozen=True, slots=True)
class SaidDay:
    """A day that was said, or the last day of a time that was said: of a week, a month, a season."""

    day: datetime.date
    is_exact: bool = True
    is_month: bool = False


_WEEK = 7
_SATURDAY, _SUNDAY = 5, 6


def _table(rows: dict[int, str]) -> dict[str, int]:
    return {fold(word): value for value, words in rows.items() for word in words.split()}


def _any(words: dict[str, int]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_WEEKDAYS = _table({
    0: "monday mon понедельник понедельника пн الاثنين الاتنين etnen itnein etneen tnen tanen tnein ethnein"
    " ithnein",
    1: "tuesday tues tue вторник вторника вт الثلاثاء الثلاثا التلات التلاتاء talat thalath talata tlata thulatha"
    " tlet tleta telat",
    2: "wednesday weds wed среду среда среды ср الاربعاء الاربعا الاربع arb3a2 arb3a arba3a 2arbe3a",
    3: "thursday thurs thur thu четверг четверга чт الخميس 5amis 5amees khamis khamees",
    4: "friday fri пятницу пятница пятницы пт الجمعه jom3a jum3a gom3a jem3a jum3ah gum3a",
    5: "saturday sat субботу суббота субботы сб السبت sabt",
    6: "sunday sun воскресенье воскресенья вс الاحد الحد a7ad 2a7ad ahad 7ad",
})  # fmt: skip
_WEEKDAYS |= {
    prefix + name.removeprefix("ال"): day
    for name, day in _WEEKDAYS.items() for prefix in ("لل", "بال") if name.startswith("ال")
}  # fmt: skip
DAY_NAMES = frozenset(_WEEKDAYS)
_SHORT = frozenset([
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "пн", "вт", "ср", "чт", "пт", "сб", "вс", "الحد", "للحد", "بالحد",
    "7ad", "tanen", "tlet", "tleta", "telat", "tnein", "ethnein", "ithnein",
])  # fmt: skip
"""Weekdays that are other words as well: they count behind a preposition, an article or before "next"."""
_COMING = (
    "الجاي|الجايه|الجايي|القادم|القادمه|المقبل|المقبله|الياي|اليايه|الي جاي|اللي جاي|اللي جايه|el ?jay+e?h?|"
    "el ?gay+a?h?|el ?yay|aljay|jay+|gay+|elli jay|li jeye|el ?2adem|el ?jeye?"
)
_WEEKDAY = re.compile(
    rf"(?<![\w'])(?P<before>on\s+|this\s+|this coming\s+|coming\s+|by\s+|until\s+|till\s+|next\s+|в\s+|во\s+|к\s+|"
    rf"до\s+|на\s+"
    rf"|эт(?:у|от|о)\s+|следующ\w+\s+|ближайш\w+\s+|[لبع]?يوم\s+|نهار\s+|yo+m\s+|youm\s+|nhar\s+)*"
    rf"(?P<article>(?:l?el|al|lal|il)\s?)?"
    rf"(?P<day>{_any(_WEEKDAYS)})(?![\w'])(?P<behind>\s+next week|\s+week|\s+(?:{_COMING})|\s+на следующей)?"
)
_DAY_AFTER = re.compile(
    r"(?<!\w)(?:day after tomorrow|overmorrow|послезавтра|بعد بكر[اهي]|بعد بكره|بعد غد[ا]?|بعد باچر|عقب باجر|عقب بكره|"
    r"(?:ba3d|b3d|3gb|3ugub) (?:bo?u?kra|bokrah|bacher|bachir|ghadan|8adan))(?!\w)"
)
_TOMORROW = re.compile(
    r"(?<!\w)(?:tomorrow|tmrw?|tmw|tomorow|tommorow|tomoz|2moro|2morrow|завтра|завтре|завтрашн\w+|بكر[اهي]|بكره|"
    r"بكرة|غدا|باجر|باچر|الغد|"
    r"bo?u?kra|bokrah|bukrah|bacher|bachir|ghadan|8adan)(?!\w)"
)
_TODAY = re.compile(
    r"(?<!\w)(?:today|tonight|this (?:morning|afternoon|evening)|сегодня|вечером|اليوم|الليله|النهارده|انهارده|"
    r"elyom|elyoum|alyom|"
    r"el naharda|elnaharda|ennaharda|innaharda|el leila|el laila|ellila)(?!\w)"
)
_WEEKEND = re.compile(
    r"(?<!\w)(?P<next>next )?(?:(?:this |the |this coming |at the |over the )?weekend|(?:в |"
    r"на )?(?P<next_ru>следующ\w+ )?выходн\w+|"
    r"نهايه الاسبوع|الويكند|el weekend|il weekend)(?!\w)"
)
_THIS_WEEK = re.compile(
    r"(?<!\w)(?:this week|later this week|на этой неделе|هذا الاسبوع|هالاسبوع|الاسبوع هذا|ha(?:l|da)? ?[eo]sboo?3|"
    r"hal osboo3)(?!\w)"
)
_NEXT_WEEK = re.compile(
    rf"(?<!\w)(?:next week|следующ\w+ недел\w+|(?:ال)?اسبوع (?:{_COMING})|(?:el |al |il )?(?:2?[eiou]s?sboo?3|"
    rf"osbo3|usboo3|esboo3|2osboo3|jem3a) (?:{_COMING}))(?!\w)"
)
_NEXT_MONTH = re.compile(
    rf"(?<!\w)(?:next month|следующ\w+ месяц\w*|(?:ال)?شهر (?:{_COMING})|(?:el |al |il )?sha?h?a?r (?:{_COMING}))(?!\w)"
)
_THIS_MONTH = re.compile(
    r"(?<!\w)(?:later this month|this month|(?:at )?(?:the )?end of (?:the|this) month|в этом месяце|"
    r"(?:в )?конц\w+ месяца|هذا الشهر|هالشهر|الشهر هذا|"
    r"(?:اخر|نهايه|باخر) الشهر|hal ?shahr|a5er el sha?ha?r|akher el sha?ha?r)(?!\w)"
)
_NEXT_YEAR = re.compile(rf"(?<!\w)(?:next year|в следующем году|السنه (?:{_COMING})|el sane?a? (?:{_COMING}))(?!\w)")
_ARABIC_SUMMER = "في الصيف|بالصيف|هالصيف|(?:fel|bel) (?:sei?f|sayf)"
_SEASONS = {
    "spring": (5, "in (?:the )?spring|this spring|весной|к весне|في الربيع|بالربيع|fel rabi3"),
    "summer": (8, f"(?:in|over)(?: the)? summer|this summer|летом|к лету|на лето|{_ARABIC_SUMMER}"),
    "autumn": (11, "in (?:the )?(?:fall|autumn)|this (?:fall|autumn)|осенью|к осени|في الخريف|بالخريف"),
    "winter": (2, "in (?:the )?winter|this winter|зимой|к зиме|в новом году|في الشتا|بالشتا|bel sheta|fel sheta"),
}  # fmt: skip
"""The last month of a season, and how it is said."""
_SEASON = re.compile("|".join(rf"(?<!\w)(?P<{name}>{said})(?!\w)" for name, (_, said) in _SEASONS.items()))
_DAY_OF_MONTH = re.compile(
    r"(?<![\w.,/:-])(?:(?:on |by |around |the )*(?:the )(?P<en>\d{1,2})(?:st|nd|rd|th)(?! (?:birthday|anniversary|"
    r"floor|time|grade|year|of|street|century|place|round))"
    r"|(?P<ru>\d{1,2})-?(?:го|ого|числа)|(?P<ru2>\d{1,2}) числа|(?:[لبع]?يوم|نهار|بتاريخ|تاريخ|yo+m|"
    r"youm)\s(?P<ar>\d{1,2})(?! (?:شهر|ايام|يوم))"
    r"|(?P<ar2>\d{1,2}) (?:بالشهر|في الشهر|ب الشهر|هالشهر|fel shahr|bel shahr|bel shaher))(?![\w%])"
)
_SPOKEN_DAY = re.compile(
    r"(?<!\w)(?:двадцать |тридцать )?(?:[а-я]+(?:ого|ьего|его))(?: числа)?(?!\w)|(?<!\w)[\u0620-\u064a]+ (?:بالشهر|"
    r"في الشهر)(?!\w)"
)
_ARABIC_MONTH = re.compile(r"(?<!\w)(?:في |ب)?(?:شهر|sha?ha?r) (?P<month>1[0-2]|[1-9])(?!\w)")


def find_day(text: str, now: datetime.datetime) -> SaidDay | None:
    """The day that a folded text says by its number, weekday or season, on or after `now`; None if it says none."""
    for read in _READERS:
        found = read(text, now.date())
        if found is not None:
            return found
    return None


def _read_near(text: str, today: datetime.date) -> SaidDay | None:
    for ahead, expression in ((2, _DAY_AFTER), (1, _TOMORROW)):
        if expression.search(text):
            return SaidDay(today + datetime.timedelta(days=ahead))
    return None


def _read_today(text: str, today: datetime.date) -> SaidDay | None:
    return SaidDay(today) if _TODAY.search(text) else None


def _read_weekday(text: str, today: datetime.date) -> SaidDay | None:
    """The coming weekday; with "next" or «следующую» that of the next week."""
    for match in _WEEKDAY.finditer(text):
        if match["day"] in _SHORT and not (match["before"] or match["article"] or match["behind"]):
            continue
        weekday = _WEEKDAYS[match["day"]]
        said = match[0]
        if re.search(r"(?<!\w)next(?!\w)|следующ", said):
            monday = today + datetime.timedelta(days=_WEEK - today.weekday())
            return SaidDay(monday + datetime.timedelta(days=weekday))
        ahead = (weekday - today.weekday()) % _WEEK or _WEEK
        return SaidDay(today + datetime.timedelta(days=ahead))
    return None


def _read_weekend(text: str, today: datetime.date) -> SaidDay | None:
    match = _WEEKEND.search(text)
    if match is None:
        return None
    ahead = (_SATURDAY - today.weekday()) % _WEEK + (_WEEK if match["next"] or match["next_ru"] else 0)
    return SaidDay(today + datetime.timedelta(days=ahead))


def _read_day_of_month(text: str, today: datetime.date) -> SaidDay | None:
    """A day without its month: the next day of that number."""
    match = _DAY_OF_MONTH.search(text)
    number = int(next(group for group in match.groups() if group)) if match else _read_spoken_day(text)
    if not number or not 1 <= number <= 31:
        return None
    month = today.replace(day=1)
    for _ in range(3):
        try:
            found = month.replace(day=number)
        except ValueError:
            found = None
        if found and found >= today:
            return SaidDay(found)
        month += relativedelta(months=1)
    return None


def _read_spoken_day(text: str) -> int:
    for match in _SPOKEN_DAY.finditer(text):
        numbers = list_numbers(text, *match.span(), ordinals=True)
        if len(numbers) == 1 and numbers[0].start == match.start():
            return int(numbers[0].value)
    return 0


def _read_time(text: str, today: datetime.date) -> SaidDay | None:
    """The last day of a week, month or season that was said."""
    sunday = today + datetime.timedelta(days=_SUNDAY - today.weekday())
    if _THIS_WEEK.search(text):
        return SaidDay(sunday, is_exact=False)
    if _NEXT_WEEK.search(text):
        return SaidDay(sunday + datetime.timedelta(days=_WEEK), is_exact=False)
    if _THIS_MONTH.search(text):
        return SaidDay(end_of_month(today), is_exact=False)
    if _NEXT_MONTH.search(text):
        return SaidDay(end_of_month(today + relativedelta(months=1)), is_exact=False, is_month=True)
    if _NEXT_YEAR.search(text):
        return SaidDay(datetime.date(today.year + 1, 12, 31), is_exact=False)
    match = _SEASON.search(text) or _ARABIC_MONTH.search(text)
    if match is None:
        return None
    last = int(match["month"]) if "month" in match.re.groupindex else _SEASONS[str(match.lastgroup)][0]
    day = end_of_month(datetime.date(today.year + (last < today.month), last, 1))
    return SaidDay(day, is_exact=False, is_month="month" in match.re.groupindex)


def end_of_month(day: datetime.date) -> datetime.date:
    """The last day of the month that a day is in."""
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


_READERS: tuple[Callable[[str, datetime.date], SaidDay | None], ...] = (
    _read_near, _read_day_of_month, _read_weekday, _read_weekend, _read_time, _read_today,
)  # fmt: skip
