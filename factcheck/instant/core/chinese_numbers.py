"""Chinese numerals as digits: `五百`, `两千三`, `1万2`, `3千`, `三月五号`, `四十二码半`; lengths in centimetres.

`一米六五` is 165 厘米, `腰二尺四` 80 厘米.

Only what counts or measures something: `一起`, `十分`, `千万别`, `周五` stay words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_SCALES = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "w": 10_000, "亿": 100_000_000}
_DIGIT = "零〇一二两俩三四五六七八九"
_UNIT = r"个(?=月|星期|礼拜|小时)|天|周(?!年|[一二三四五六日末])|月|号|日|年|岁|斤|公斤|元|万|码|折|块"
"""What makes a single numeral a number: `两周后`, `六月`, `三斤`. `周` before a day of the week makes none."""
_BEHIND_HALF = "天年小个月价夜路截场生辈"
"""What a half is the half of by itself, not of the number before it: `42 半年`."""
_MEASURED = re.compile(
    rf"(?<![\d.])(?P<metres>\d|[{_DIGIT}])米(?P<rest>\d{{1,2}}|[{_DIGIT}]{{1,2}})(?![\d.{_DIGIT}十百])"
    rf"|米(?P<over>[五六七八九][{_DIGIT}]?)(?![{_DIGIT}十百千万斤公克袋块元号分年两毛折成勺件天个颗粒碗锅])"
    rf"|(?P<bills>\d{{1,3}}|[{_DIGIT}十]{{1,2}})(?:旧|嚿)水"
    rf"|(?<![\d.{_DIGIT}十百])(?P<feet>\d|[{_DIGIT}])尺(?P<inches>\d|[{_DIGIT}半])(?![\d{_DIGIT}十百千万])"
    rf"|(?<=腰)(?P<waist>\d|[{_DIGIT}])尺(?!寸)"
    rf"|(?P<spelt>(?:二[二三四五六七八][零〇五]|(?<=[鞋脚码])(?:三[四五六七八九]|四[零〇一二三四五六七])"
    rf"|[六七八九][零〇五](?=[a-hA-H](?![a-zA-Z]))))(?![\d{_DIGIT}十百千万])"
    rf"|(?<![\d.])(?P<decimal>[12]\.\d{{1,2}})米"
    rf"|(?<![\d.])(?P<half>\d\d|[二三四]十[{_DIGIT}]?)(?:[码号])?半(?![{_BEHIND_HALF}])"
    rf"|(?P<whole>[{_DIGIT}十]+)点(?P<tenths>[{_DIGIT}]{{1,2}})(?P<times>[万千米])"
    rf"|(?P<height>一[四五六七八九][{_DIGIT}])(?![\d{_DIGIT}十百千万])"
    r"|(?P<about>[百千万])把(?=块|元|钱)"
    rf"|(?P<run>(?:\d+(?:\.\d+)?|[{_DIGIT}十])?(?:[{_DIGIT}十百千万亿]|(?<=\d)w(?![a-z])|(?<=[千万w])\d(?!\d))*)"
)
_STARTS = re.compile(rf"[\d{_DIGIT}十]|[百千万]把|(?<![小大玉糯虾厘毫分平方纳十百千\d{_DIGIT}])米(?=[五六七八九])")
_NEIGHBOURS = re.compile(
    "|".join(f"{low}(?={high}[十百千万w亿])" for low, high in [*pairwise("一二三四五六七八九"), "两三"])
)
"""The lower one of two numerals that tell about how many: `七八十` is up to 80."""
_BEHIND = re.compile(rf"(?:{_UNIT})")
_BEFORE_WEEKDAY = ("周", "星期", "礼拜")
_WORDS = ("一块儿", "一块去", "一块玩", "一块吃", "一块走", "一年一度", "一日三餐", "百分之")
_NATIONAL_DAY = "十一"
"""Alone it is the holiday of the first of October: `十一去三亚`."""
_SIMPLE = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Number:
    """A number in digits, and the range of the text that it stands for."""

    digits: str
    start: int
    end: int


def find_numbers(text: str) -> Iterator[Number]:
    """The numbers of a simplified text that are not written in digits alone, in reading order."""
    place = 0
    while place < len(text):
        start = _STARTS.search(text, place)
        if start is None:
            return
        found = _MEASURED.match(text, start.start())
        number = _read(text, found) if found else None
        if number is not None:
            yield number
        place = max(start.end(), found.end() if found else 0)


def _read(text: str, found: re.Match[str]) -> Number | None:
    start, end = found.span()
    centimetres = _read_length(found)
    if centimetres:
        return Number(f"{centimetres} 厘米", start, end)
    if found["spelt"]:
        return Number(str(_parse_digits(found["spelt"])), start, end)
    if found["bills"]:
        bills = int(found["bills"]) if found["bills"].isdecimal() else parse_number(found["bills"])
        return Number(f"{bills * 100} 块", start, end) if bills else None
    if found["half"]:
        whole = parse_number(found["half"])
        return None if whole is None else Number(f"{whole}.5 码", start, end)
    if found["whole"]:
        return _read_decimal(found)
    if found["height"] or found["about"]:
        value = parse_number(found["height"]) if found["height"] else _SCALES[found["about"]]
        return Number(str(value), start, end)
    run = found["run"] or ""
    if not run or _SIMPLE.fullmatch(run) or text.startswith(_WORDS, start) or text.startswith(_WORDS, start - 1):
        return None
    if text[max(0, start - 2) : start].endswith(_BEFORE_WEEKDAY):
        return None
    value = parse_number(run)
    is_measured = _BEHIND.match(text, end) is not None
    if value is None or (not is_measured and (run == _NATIONAL_DAY or not _is_scaled(run))):
        return None
    return Number(str(value), start, end)


def _read_length(found: re.Match[str]) -> int:
    """Centimetres of metres or of 尺, which are a third of a metre; 0 of what is no length."""
    if found["metres"] or found["over"]:
        rest = found["rest"] or found["over"]
        metres = _parse_digits(found["metres"] or "1")
        return metres * 100 + _parse_digits(rest) * (10 if len(rest) == 1 else 1)
    if found["feet"] or found["waist"]:
        feet = Decimal(_parse_digits(found["feet"] or found["waist"]))
        feet += Decimal("0.5") if found["inches"] == "半" else Decimal(_parse_digits(found["inches"] or "0")) / 10
        return round(feet * 100 / 3)
    return int(Decimal(found["decimal"]) * 100) if found["decimal"] else 0


def _read_decimal(found: re.Match[str]) -> Number | None:
    """`二点五万` is 25,000, `一点七五米` 175 厘米."""
    whole = parse_number(found["whole"])
    if whole is None:
        return None
    value = Decimal(f"{whole}.{_parse_digits(found['tenths']):0{len(found['tenths'])}d}")
    shown = (
        f"{int(value * 100)} 厘米" if found["times"] == "米" else f"{(value * _SCALES[found['times']]).normalize():f}"
    )
    return Number(shown, *found.span())


def _is_scaled(run: str) -> bool:
    """Whether a run is a number by itself: it holds a scale beside a digit."""
    return len(run) > 1 and any(character in _SCALES for character in run)


def parse_number(run: str) -> int | None:
    """The value of numerals and digits with scales, the last scale left out or not: `1万2`, `两千三`; None if none."""
    if all(character in _DIGITS for character in run):
        return _DIGITS[run] if len(run) == 1 else int("".join(str(_DIGITS[character]) for character in run))
    run = _NEIGHBOURS.sub("", run)
    total = section = Decimal(0)
    digit: Decimal | None = None
    scale = 0
    for part in re.findall(r"\d+(?:\.\d+)?|.", run):
        if part in _SCALES:
            factor = _SCALES[part]
            if digit is None and not (part == "十" and section == 0) and not (factor >= 10_000 and section):
                return None
            section, total, scale = _scale(section, total, digit, factor)
            digit = None
        elif digit is not None and digit != 0:
            return None
        else:
            is_zero = part in ("零", "〇")
            digit = Decimal(_DIGITS[part]) if part in _DIGITS else Decimal(part)
            scale = 0 if is_zero else scale
    if digit is not None:
        section += digit * (scale // 10 if scale >= 100 and digit < 10 else 1)
    value = total + section
    return int(value) if value == int(value) else None


def _scale(section: Decimal, total: Decimal, digit: Decimal | None, factor: int) -> tuple[Decimal, Decimal, int]:
    """The section and the total after a scale: 万 and 亿 close a section, the smaller ones add to it."""
    if factor >= 10_000:
        return Decimal(0), total + (section + (digit or 0)) * factor, factor
    return section + (1 if digit is None else digit) * factor, total, factor


def _parse_digits(text: str) -> int:
    return int("".join(str(_DIGITS.get(character, character)) for character in text))
