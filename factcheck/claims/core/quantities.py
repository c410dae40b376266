"""Numbers with their units, and years."""

from __future__ import annotations

from fractions import Fraction

from factcheck.claims.core.dates import YEAR_MARKERS, find_dates
from factcheck.claims.core.readings import Reading
from factcheck.claims.core.subjects import Field, Subject
from factcheck.claims.core.units import CALENDAR_YEAR, Unit, convert, read_unit
from factcheck.claims.core.words import HAN_MEASURES
from factcheck.core.numbers import NumberSpan, find_numbers
from factcheck.core.tokens import Tokens

PARTITIVES = frozenset({"of", "из", "من"})
"""After a number: some of them, not how many there are."""
HAN_YEAR = "年"
EARLIEST_YEAR = 100
IMPERIAL = frozenset({"feet", "inches", "miles", "pounds"})
MIN_SIGNIFICANT_DIGITS = 2


def read_number(claim: Tokens, *, field: Field, subject: Subject, masked: frozenset[int]) -> Reading | None:
    """The one number of the claim in the field's unit; None when there is none, more, or one in another unit."""
    if find_dates(claim.words, masked=masked):
        return None
    numbers = find_numbers(claim.words, masked=masked)
    if len(numbers) != 1 or numbers[0].value is None or _is_bound(claim, numbers[0]):
        return None
    if field.unit == CALENDAR_YEAR:
        return _read_year(claim, field, numbers[0])
    return _read_quantity(claim, field, subject, numbers[0])


def year_markers(claim: Tokens, start: int, end: int) -> frozenset[int]:
    """The words that say that the number between is a year."""
    words = claim.words
    places = set()
    if end < len(words) and (words[end].text in YEAR_MARKERS or words[end].text == HAN_YEAR):
        places.add(end)
    if start and words[start - 1].text in YEAR_MARKERS:
        places.add(start - 1)
    return frozenset(places)


def _is_bound(claim: Tokens, number: NumberSpan) -> bool:
    """Whether the words around the number make it a part (`one of`) or a limit (`by 1123`)."""
    words = claim.words
    if number.end < len(words) and words[number.end].text in PARTITIVES:
        return True
    return number.start > 0 and words[number.start - 1].text == "by"


def _read_year(claim: Tokens, field: Field, number: NumberSpan) -> Reading | None:
    expected = Fraction(str(field.values[0]))
    value = number.value
    if value is None or value.denominator != 1:
        return None
    if number.end < len(claim.words) and claim.words[number.end].text == "years":
        return None
    places = frozenset(range(number.start, number.end)) | year_markers(claim, number.start, number.end)
    is_yearlike = value >= EARLIEST_YEAR and expected >= EARLIEST_YEAR
    return Reading(places, value == expected, may_refute=is_yearlike, expected=field.values[0])


def _read_quantity(claim: Tokens, field: Field, subject: Subject, number: NumberSpan) -> Reading | None:
    value = number.value
    expected = Fraction(str(field.values[0]))
    if value is None:
        return None
    end, has_measure = _skip_measure(claim, number)
    may_refute = not (has_measure and value == 1)
    unit_said = False
    if isinstance(field.unit, Unit):
        said = read_unit(claim.words, end)
        if said is not None:
            converted = convert(value, said[0], field.unit)
            if converted is None:
                return None
            may_refute = may_refute and (said[0] == field.unit or not {said[0].name, field.unit.name} & IMPERIAL)
            may_refute = may_refute and not _is_rounding(value, convert(expected, field.unit, said[0]))
            value, end, unit_said = converted, said[1], True
        else:
            may_refute = False
    if value != expected and (abs(value) == abs(expected) or _is_rounding(value, expected)):
        return None
    if value != expected and _is_value_of_another(value, field, subject):
        may_refute = False
    return Reading(
        frozenset(range(number.start, end)),
        value == expected,
        may_refute=may_refute,
        expected=field.values[0],
        unit_said=unit_said,
    )


def _skip_measure(claim: Tokens, number: NumberSpan) -> tuple[int, bool]:
    """Where the number ends with its Chinese measure word, unless that begins a unit."""
    end = number.end
    words = claim.words
    if end < len(words) and words[end].text in HAN_MEASURES and not words[end].spaced:
        return (end, False) if read_unit(words, end) else (end + 1, True)
    return end, False


def _is_rounding(value: Fraction, expected: Fraction | None) -> bool:
    """Whether the claim may only have rounded: `8 metres` for 7.5, `48,000` for 47,912."""
    if expected is None or value == expected:
        return False
    step = Fraction(1)
    if value.denominator != 1:
        while (value / step).denominator != 1 and step > Fraction(1, 10**9):
            step /= 10
    else:
        while value and (value / (step * 10)).denominator == 1:
            step *= 10
        significant = len(str(abs(int(value / step))))
        if step > 1 and significant < MIN_SIGNIFICANT_DIGITS:
            step = Fraction(1)
    return abs(value - expected) < step


def _is_value_of_another(value: Fraction, field: Field, subject: Subject) -> bool:
    """Whether another field of the same unit has the stated value: the claim may have meant that one."""
    return any(
        other.name != field.name
        and other.kind == "number"
        and other.unit == field.unit
        and any(Fraction(str(known)) == value for known in other.values)
        for other in subject.fields
    )
