"""The value that a claim states for a field, read in the field's own kind and compared with canon's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from factcheck.claims.core.dates import PartialDate, find_dates
from factcheck.claims.core.names import read_name
from factcheck.claims.core.quantities import read_number, year_markers
from factcheck.claims.core.readings import Reading
from factcheck.claims.core.subjects import Field, date_of
from factcheck.claims.core.words import HAN_FUNCTION
from factcheck.core.numbers import find_numbers
from factcheck.core.tokens import Tokens

if TYPE_CHECKING:
    from factcheck.claims.core.field_comparison import Addressing, Mention

__all__ = ["Reading", "read_value"]


def read_value(
    claim: Tokens, *, mention: Mention, field: Field, addressing: Addressing, mentions: Sequence[Mention]
) -> Reading | None:
    """What the claim says of the field; None when it states no value of the field's kind, or more than one."""
    masked = mention.places() | _counting_phrases(claim) | _numerals_of_labels(claim, addressing)
    if field.kind in {"name", "list"}:
        return read_name(claim, mention=mention, field=field, addressing=addressing, mentions=mentions)
    if len(set(field.values)) != 1:
        return None
    if field.kind == "number":
        return read_number(claim, field=field, subject=mention.subject, masked=masked)
    if field.kind == "date":
        return _read_date(claim, field, masked)
    return _read_boolean(claim, field, masked)


def _read_date(claim: Tokens, field: Field, masked: frozenset[int]) -> Reading | None:
    expected = date_of(field.values[0])
    if expected is None:
        return None
    dates = find_dates(claim.words, masked=masked)
    if len(dates) > 1:
        return None
    if dates:
        places = frozenset(range(dates[0].start, dates[0].end))
        if dates[0].date is None or find_numbers(claim.words, masked=masked | places):
            return None
        return Reading(places, dates[0].date.agrees_with(expected), may_refute=True, expected=field.values[0])
    numbers = find_numbers(claim.words, masked=masked)
    if len(numbers) != 1 or numbers[0].value is None or not 100 <= numbers[0].value <= 9999:
        return None
    said = PartialDate(int(numbers[0].value), None, None)
    if said.year != numbers[0].value:
        return None
    places = frozenset(range(numbers[0].start, numbers[0].end)) | year_markers(claim, numbers[0].start, numbers[0].end)
    return Reading(places, said.agrees_with(expected), may_refute=True, expected=field.values[0])


def _read_boolean(claim: Tokens, field: Field, masked: frozenset[int]) -> Reading | None:
    if find_numbers(claim.words, masked=masked):
        return None
    return Reading(frozenset(), bool(field.values[0]), may_refute=True, expected=bool(field.values[0]))


def _counting_phrases(claim: Tokens) -> frozenset[int]:
    """Chinese joining phrases that hold a numeral (`一共`)."""
    places: set[int] = set()
    for phrase in HAN_FUNCTION:
        if "一" in phrase:
            for place in range(len(claim.words)):
                if tuple(word.text for word in claim.words[place : place + len(phrase)]) == tuple(phrase):
                    places.update(range(place, place + len(phrase)))
    return frozenset(places)


def _numerals_of_labels(claim: Tokens, addressing: Addressing) -> frozenset[int]:
    return frozenset(place for place in addressing.places if claim.words[place].kind == "han")
