"""When a coming event is, as people say it in Chinese: `下周五`, `后天`, `三天后`, `12月18号`, `下个月`, `国庆`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

from dateutil.relativedelta import relativedelta

from factcheck.instant.core.event_days import SaidDay, end_of_month

_WEEKDAYS = {character: day for day, character in enumerate("一二三四五六")} | {"日": 6, "天": 6, "末": 5}
_NEAR = {"大后": 3, "后": 2, "明": 1, "今": 0}
_FEASTS = {
    "元旦": (1, 1), "情人节": (2, 14), "白色情人节": (3, 14), "妇女节": (3, 8), "三八节": (3, 8), "清明": (4, 5),
    "愚人节": (4, 1), "五一": (5, 1), "劳动节": (5, 1), "青年节": (5, 4), "520": (5, 20), "儿童节": (6, 1),
    "六一": (6, 1),
    "高考": (6, 7), "教师节": (9, 10), "国庆": (10, 1), "十一": (10, 1), "万圣节": (10, 31), "光棍节": (11, 11),
    "双十一": (11, 11), "平安夜": (12, 24), "圣诞": (12, 25), "跨年": (12, 31), "除夕": (12, 31),
}  # fmt: skip
_LUNAR_FEASTS = {
    "春节|过年|大年初一|农历新年": (
        "2026-02-17 2027-02-06 2028-01-26 2029-02-13 2030-02-03 2031-01-23 2032-02-11 2033-01-31 2034-02-19 2035-02-08"
    ),
    "除夕|年三十|大年三十": (
        "2026-02-16 2027-02-05 2028-01-25 2029-02-12 2030-02-02 2031-01-22 2032-02-10 2033-01-30 2034-02-18 2035-02-07"
    ),
    "端午": (
        "2026-06-19 2027-06-09 2028-05-28 2029-06-16 2030-06-05 2031-06-24 2032-06-12 2033-06-01 2034-06-20 2035-06-10"
    ),
    "中秋": (
        "2026-09-25 2027-09-15 2028-10-03 2029-09-22 2030-09-12 2031-10-01 2032-09-19 2033-09-08 2034-09-27 2035-09-16"
    ),
}
"""Days of the lunar calendar; behind 2035 such a feast has no date."""
_SEASONS = {"春天": 5, "夏天": 8, "秋天": 11, "冬天": 2, "暑假": 8, "寒假": 2}
"""The last month of a season or of school holidays."""
_SPACES = re.compile(r"\s+")
_NEAR_DAY = re.compile(r"(大后|(?<!以)(?<!然)(?<!之)后|明|今)(?:天|儿|晚|早|日)(?!起|后)")
_WEEKDAY = re.compile(r"(?P<which>(?:下下|下|这|本)个?)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天末])")
_NEXT_WEEK = re.compile(r"(?P<which>下下|下)个?(?:周|星期|礼拜)(?![一二三四五六日天末])")
_AHEAD = re.compile(
    r"(?:(?:再?过|还有|还剩|大概|差不多|不到)+(?P<before>\d{1,3}|半)(?P<unit_before>个月|年|天|周|个星期|个礼拜|星期|礼拜)"
    r"|(?P<behind>\d{1,3}|半)(?P<unit_behind>个月|年|天|周|个星期|个礼拜|星期|礼拜)(?:之后|以后|后|内|之内|以内))"
)
_MONTH_DAY = re.compile(
    r"(?:(?P<year>20\d\d)年|(?P<next>明年))?(?:农历)?(?P<month>1[0-2]|[1-9])月(?:份)?(?P<day>[12]?\d|3[01])(?:号|日)?"
)
_DAY_OF_MONTH = re.compile(
    r"(?:(?P<which>下个?月|这个?月|本月)|(?<![\d月]))(?P<day>[12]?\d|3[01])(?:号|日)(?!线|码|楼)"
)
_MONTH = re.compile(r"(?:(?P<next>明年))?(?<!\d)(?P<month>1[0-2]|[1-9])月(?:份|底|初|中)?")
_THIS_MONTH = re.compile(r"(?P<which>下下个?月|下个?月|这个?月|本月)(?:底|初|中旬)?|月底|月末")
_YEAR = re.compile(r"明年|年底|年末|今年")


def find_chinese_date(text: str, now: datetime.datetime) -> SaidDay | None:
    """The first day, or last day of a time, of a folded Chinese sentence, today or later; None if none is said."""
    said = _SPACES.sub("", text)
    today = now.date()
    for read in _READERS:
        found = read(said, today)
        if found is not None and found.day >= today:
            return found
    return None


def _read_month_day(text: str, today: datetime.date) -> SaidDay | None:
    match = _MONTH_DAY.search(text)
    if match is None:
        return None
    year = int(match["year"] or today.year + bool(match["next"]))
    day = _make_date(year, int(match["month"]), int(match["day"]))
    if day is not None and day < today and not match["year"]:
        day = _make_date(year + 1, day.month, day.day)
    return _on(day)


def _read_ahead(text: str, today: datetime.date) -> SaidDay | None:
    match = _AHEAD.search(text)
    if match is None:
        return None
    count, unit = match["before"] or match["behind"], match["unit_before"] or match["unit_behind"]
    if count == "半":
        months = {"年": 6}.get(unit)
        return _on(today + (relativedelta(months=months) if months else relativedelta(days=15)))
    number = int(count)
    if "月" in unit or "年" in unit:
        return _on(today + relativedelta(months=number * (12 if unit == "年" else 1)))
    return _on(today + datetime.timedelta(days=number * (1 if unit == "天" else 7)))


def _read_weekday(text: str, today: datetime.date) -> SaidDay | None:
    match = _WEEKDAY.search(text)
    if match is None or text[: match.start()].endswith("上"):
        return None
    monday = today - datetime.timedelta(days=today.weekday())
    which = match["which"] or ""
    weeks = 2 if which.startswith("下下") else 1 if which.startswith("下") else 0
    day = monday + datetime.timedelta(days=_WEEKDAYS[match["day"]] + 7 * weeks)
    if day < today and not which:
        day += datetime.timedelta(days=7)
    return _on(day)


def _read_next_week(text: str, today: datetime.date) -> SaidDay | None:
    match = _NEXT_WEEK.search(text)
    if match is None:
        return None
    weeks = 2 if match["which"] == "下下" else 1
    return SaidDay(today + datetime.timedelta(days=6 - today.weekday() + 7 * weeks), is_exact=False)


def _read_day_of_month(text: str, today: datetime.date) -> SaidDay | None:
    match = _DAY_OF_MONTH.search(text)
    if match is None:
        return None
    first = today.replace(day=1)
    number = int(match["day"])
    is_next = (match["which"] or "").startswith("下") or (not match["which"] and number < today.day)
    month = first + relativedelta(months=1) if is_next else first
    return _on(_make_date(month.year, month.month, number))


def _read_near(text: str, today: datetime.date) -> SaidDay | None:
    match = _NEAR_DAY.search(text)
    return _on(today + datetime.timedelta(days=_NEAR[match[1]])) if match else None


def _read_feast(text: str, today: datetime.date) -> SaidDay | None:
    for names, days in _LUNAR_FEASTS.items():
        if re.search(names, text):
            coming = [day for day in map(datetime.date.fromisoformat, days.split()) if day >= today]
            return _on(coming[0]) if coming else None
    for name, (month, day) in _FEASTS.items():
        if re.search(rf"(?<![\d周月十]){name}(?!\d)", text):
            return _on(datetime.date(today.year + ((month, day) < (today.month, today.day)), month, day))
    return None


def _read_this_month(text: str, today: datetime.date) -> SaidDay | None:
    match = _THIS_MONTH.search(text)
    if match is None:
        return None
    which = match["which"] or ""
    months = 2 if which.startswith("下下") else 1 if which.startswith("下") else 0
    return _whole_month(today.replace(day=1) + relativedelta(months=months))


def _read_month(text: str, today: datetime.date) -> SaidDay | None:
    match = _MONTH.search(text)
    if match is None:
        return None
    month = int(match["month"])
    year = today.year + 1 if match["next"] or month < today.month else today.year
    return _whole_month(datetime.date(year, month, 1))


def _read_season(text: str, today: datetime.date) -> SaidDay | None:
    month = next((month for name, month in _SEASONS.items() if name in text), None)
    if month is None:
        return None
    last = end_of_month(datetime.date(today.year + (month < today.month), month, 1))
    return SaidDay(last, is_exact=False)


def _read_year(text: str, today: datetime.date) -> SaidDay | None:
    match = _YEAR.search(text)
    if match is None:
        return None
    return SaidDay(datetime.date(today.year + (match[0] == "明年"), 12, 31), is_exact=False)


_READERS: tuple[Callable[[str, datetime.date], SaidDay | None], ...] = (
    _read_ahead, _read_month_day, _read_weekday, _read_next_week, _read_day_of_month, _read_near, _read_feast,
    _read_this_month, _read_month, _read_season, _read_year,
)  # fmt: skip


def _on(day: datetime.date | None) -> SaidDay | None:
    return None if day is None else SaidDay(day)


def _whole_month(first: datetime.date) -> SaidDay:
    return SaidDay(end_of_month(first), is_exact=False, is_month=True)


def _make_date(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None
