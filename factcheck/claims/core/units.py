"""Units: what a field's name says its number is in, and what a claim says; converted only where that is exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from factcheck.core.tokens import Token, tokenize

CALENDAR_YEAR = "calendar_year"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as a multiple of its dimension's base."""

    name: str
    dimension: str
    factor: Fraction


def _unit(name: str, dimension: str, factor: str) -> Unit:
    return Unit(name, dimension, Fraction(factor))


_FORMS: tuple[tuple[Unit, str], ...] = (
    (_unit("metres", "length", "1"), "metre metres meter meters m м метр метра метров متر مترا أمتار 米"),
    (_unit("km", "length", "1000"), ("km kilometre kilometres kilometer kilometers км километр километра километров "
     "كم كيلومتر كيلومترا كيلومترات 公里 千米")),
    (_unit("cm", "length", "1/100"), ("cm centimetre centimetres centimeter centimeters см сантиметр сантиметра "
     "сантиметров سم سنتيمتر سنتيمترا سنتيمترات 厘米 公分")),
    (_unit("mm", "length", "1/1000"), ("mm millimetre millimetres millimeter millimeters мм миллиметр миллиметра "
     "миллиметров مم مليمتر مليمترا 毫米")),
    (_unit("feet", "length", "381/1250"), "ft foot feet фут фута футов قدم قدما أقدام 英尺"),
    (_unit("inches", "length", "127/5000"), "inch inches дюйм дюйма дюймов بوصة بوصات 英寸"),
    (_unit("miles", "length", "201168/125"), "mile miles миля мили миль ميل ميلا أميال 英里"),
    (_unit("grams", "mass", "1"), "g gram grams gramme grammes г гр грамм грамма граммов غرام غراما غرامات جرام 克"),
    (_unit("kg", "mass", "1000"), ("kg kilo kilos kilogram kilograms кг кило килограмм килограмма килограммов "
     "كغ كغم كيلو كيلوغرام كيلوغراما كيلوغرامات كيلوجرام 公斤 千克")),
    (_unit("tonnes", "mass", "1000000"), "tonne tonnes ton tons т тонна тонны тонн طن طنا أطنان 吨"),
    (_unit("pounds", "mass", "45359237/100000"), "lb lbs pound pounds фунт фунта фунтов رطل رطلا أرطال 磅"),
    (_unit("litres", "volume", "1"), "litre litres liter liters l л литр литра литров لتر لترا لترات ليتر 升"),
    (_unit("seconds", "time", "1"), "second seconds sec секунда секунды секунд секунду сек ثانية ثوان ثواني 秒 秒钟"),
    (_unit("minutes", "time", "60"), "minute minutes min минута минуты минут минуту мин دقيقة دقائق 分钟"),
    (_unit("hours", "time", "3600"), "hour hours час часа часов ساعة ساعات 小时 钟头"),
    (_unit("days", "time", "86400"), "day days день дня дней сутки суток يوم يوما أيام 天 日"),
    (_unit("weeks", "time", "604800"), "week weeks неделя недели недель أسبوع أسبوعا أسابيع 周 星期"),
    (_unit("months", "month", "1"), "month months месяц месяца месяцев شهر شهرا أشهر 个月"),
    (_unit("years", "year", "1"), "year years год года лет годов سنة سنوات عام عاما أعوام 年 岁"),
    (_unit("percent", "percent", "1"), "percent процент процента процентов بالمئة بالمائة 百分"),
)  # fmt: skip

UNITS_BY_NAME = {unit.name: unit for unit, _ in _FORMS}
SUFFIXES = {
    **{unit.name: unit for unit, _ in _FORMS},
    "meters": UNITS_BY_NAME["metres"], "m": UNITS_BY_NAME["metres"], "kilometres": UNITS_BY_NAME["km"],
    "kilometers": UNITS_BY_NAME["km"], "centimetres": UNITS_BY_NAME["cm"], "ft": UNITS_BY_NAME["feet"],
    "g": UNITS_BY_NAME["grams"], "kilograms": UNITS_BY_NAME["kg"], "tons": UNITS_BY_NAME["tonnes"],
    "lbs": UNITS_BY_NAME["pounds"], "liters": UNITS_BY_NAME["litres"],
}  # fmt: skip
"""The last word of a field's name to its unit."""

_BY_SEQUENCE = {
    tuple(word.text for word in tokenize(form).words): unit for unit, forms in _FORMS for form in forms.split()
}
_LONGEST = max(len(sequence) for sequence in _BY_SEQUENCE)


def read_unit(words: Sequence[Token], place: int) -> tuple[Unit, int] | None:
    """The unit that begins at a place, and where it ends; the longest one."""
    for size in range(min(_LONGEST, len(words) - place), 0, -1):
        unit = _BY_SEQUENCE.get(tuple(word.text for word in words[place : place + size]))
        if unit is not None:
            return unit, place + size
    return None


def field_unit(name: str) -> Unit | str | None:
    """What a field's number is in, by the end of its name; CALENDAR_YEAR for a year, None when it doesn't say."""
    last = name.rsplit("_", 1)[-1]
    if last == "year":
        return CALENDAR_YEAR
    return UNITS_BY_NAME["years"] if last == "age" else SUFFIXES.get(last)


def convert(value: Fraction, said: Unit, wanted: Unit) -> Fraction | None:
    """The value in another unit, exactly; None between dimensions."""
    return value * said.factor / wanted.factor if said.dimension == wanted.dimension else None
