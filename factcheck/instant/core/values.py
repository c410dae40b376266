"""The values of a hit: the things, numbers, sums and events that a pattern's row reads."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.concepts import ConceptTable, make_key
from factcheck.instant.core.event_dates import find_event_date, month_name, without_date
from factcheck.instant.core.event_reader import ADDRESSES, is_own_work
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.instructions import read_instructions
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.money import read_bare_amount, read_money, read_purpose
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.nearby import read_nearby
from factcheck.instant.core.pattern_rows import HAPPENED, InstantPattern
from factcheck.instant.core.patterns import CompiledPattern
from factcheck.instant.core.phrases import name_thing
from factcheck.instant.core.sizes import CLOTHES_RANGE, SHOE_RANGE, read_letter_size, read_number_size
from factcheck.instant.core.value_lists import ListedValue, read_list
from knowledge.facts.core.types import get_wish_type

_WORDS_AFTER_HIT = 2
_WORDS_TO_PERSON = 3
_MAX_SIZE = 70
_SHOE_KEY = "shoe_size"
_MEASURED = re.compile(r"[0-9]{1,6}(?:[.,][0-9]{1,6})?")
_HALF_KILOS = re.compile(r"(?<!公)\s*斤")
"""The unit in which Chinese people weigh themselves: `110 斤` is 55 kg."""
_MEASURES = {"height_cm": range(100, 231), "weight_kg": range(30, 251)}
_BEFORE_NAMES = frozenset({
    "a", "an", "the", "severe", "serious", "bad", "terrible", "horrible", "mild", "slight", "deadly", "major", "huge",
    "pretty", "really", "very", "strong", "fatal", "food", "known", "new", "graphic", "explicit", "detailed", "any",
    "all", "and", "или", "и", "а", "на", "к", "сильная", "любые", "все", "всякие", "откровенные", "графичные",
    "مشاهد", "اي",
})  # fmt: skip


def read_values(
    message: FoldedMessage,
    hit: CompiledPattern,
    match: Any,
    span: Span,
    sentence: Span,
    concepts: ConceptTable,
    now: datetime.datetime,
) -> Iterator[ExtractedFact]:
    rule = hit.row.key_rule
    if rule == "instruction":
        for said in read_instructions(message, *sentence):
            fact = make_fact(message, hit.row, said.key, said.value, said.start, said.end)
            yield replace(fact, type=get_wish_type(said.key))
    elif rule == "nearby":
        found = read_nearby(
            message, *span, concepts, hit.row.type, arabizi=_reads_arabizi(message, hit), only_behind=hit.row.closed
        )
        for item in found:
            yield make_fact(message, hit.row, item.key, item.value, min(span[0], item.start), max(span[1], item.end))
    elif rule in ("concept", "phrase"):
        for item in _list_values(message, hit, match, concepts):
            yield make_fact(message, hit.row, item.key, item.value, min(span[0], item.start), max(span[1], item.end))
    elif rule == "event":
        yield from read_event(message, hit.row, span, sentence, concepts, now)
    else:
        named = _read_number(message, hit, match.group("value"), sentence)
        if named is not None:
            yield make_fact(message, hit.row, *named, *span)


def _reads_arabizi(message: FoldedMessage, hit: CompiledPattern) -> bool:
    """Whether things may be named in Arabizi: the statement is, or the words around it are."""
    return hit.row.language == "arabizi" or is_arabizi(message.text)


def _list_values(message: FoldedMessage, hit: CompiledPattern, match: Any, concepts: ConceptTable) -> list[ListedValue]:
    row = hit.row
    arabizi = _reads_arabizi(message, hit)
    if row.key and row.key_rule == "concept":
        concept = concepts.concepts.get(row.key)
        label = concept.label if concept else row.key.replace("_", " ")
        return [ListedValue(row.key, label, match.start(), match.end(), is_known=True)]
    if "value" in match.re.groupindex and match.group("value") is not None:
        start, end = match.span(match.re.groupindex["value"])
        whole = (start, end)
        while start < end:  # an adjective may stand before a name: "severe nut (allergy)"
            values = read_list(message.text, start, concepts, row.type, end=end, arabizi=arabizi)
            if values:
                return values if values[-1].end >= end - 1 else []
            space = message.text.find(" ", start, end)
            if space < 0 or message.text[start:space] not in _BEFORE_NAMES:
                return _name_unknown(message, row, *whole)
            start = space + 1
        return []
    after = (
        match.end() - 1 if match.end() > match.start() and not message.text[match.end() - 1].isalnum() else match.end()
    )
    return read_list(
        message.text,
        after,
        concepts,
        row.type,
        phrases=row.key_rule == "phrase",
        closed=row.closed,
        arabizi=arabizi,
        corrects_spelling=True,
    )


def _name_unknown(message: FoldedMessage, row: InstantPattern, start: int, end: int) -> list[ListedValue]:
    """What no concept knows, where the row takes phrases: "sunflower lecithin is a hard no"."""
    words = re.findall(r"[^\W_][\w'-]*", message.text[start:end])
    name = name_thing(words, row.type) if row.key_rule == "phrase" else None
    return [ListedValue(make_key(name), name, start, end, is_known=False)] if name else []


def _read_budget(message: FoldedMessage, row: InstantPattern, said: str, sentence: Span) -> tuple[str, str] | None:
    """The key and value of a sum: the key is what it is for where that is said, else `general`."""
    money = read_money(said)
    value = money[0] if money else read_bare_amount(said)
    if value is None:
        return None
    return row.key or read_purpose(message.text[sentence[0] : sentence[1]]) or "general", value


def _read_number(
    message: FoldedMessage, hit: CompiledPattern, said: str | None, sentence: Span
) -> tuple[str, str] | None:
    row = hit.row
    if not said:
        return None
    if row.key_rule == "money":
        return _read_budget(message, row, said, sentence)
    if row.key_rule == "measure":
        measured = _MEASURED.search(said)
        if measured is None:
            return None
        size = float(measured[0].replace(",", "."))
        if row.key.endswith("size"):
            return (row.key, f"{size:g}") if size <= _MAX_SIZE else None
        if row.key == "weight_kg" and _HALF_KILOS.search(said):
            size /= 2
        number = round(size * 100) if row.key == "height_cm" and size < 3 else round(size)
        return (row.key, str(number)) if number in _MEASURES.get(row.key, range(1, 1000)) else None
    if row.key == _SHOE_KEY:
        number_size = read_number_size(said, SHOE_RANGE)
        return (_SHOE_KEY, number_size) if number_size else None
    read = read_letter_size(said) or read_number_size(said, CLOTHES_RANGE)
    return (row.key or "size", read) if read else None


def read_event(
    message: FoldedMessage,
    row: InstantPattern,
    span: Span,
    sentence: Span,
    concepts: ConceptTable,
    now: datetime.datetime,
) -> Iterator[ExtractedFact]:
    """An event is named within the hit or in the words after it; a `closed` row wants its date said as well."""
    text = message.text
    clause = text[span[0] : sentence[1]]
    own = concepts.concepts.get(row.key) if row.key else None
    events = [(own, 0)] if own is not None else concepts.find_all(clause, "event")
    if not events or events[0][1] > len(text[span[0] : span[1]].split()) + _WORDS_AFTER_HIT:
        return
    event, place = events[0]
    has_happened = HAPPENED in row.name
    said = None if has_happened else find_event_date(text[sentence[0] : sentence[1]], now)
    if said is None and row.closed:
        return
    date = said or without_date(now)
    parts = [event.key]
    words = clause.split()
    people = [
        person
        for person, word in concepts.find_all(clause, "person")
        if word != place
        and abs(word - place) <= _WORDS_TO_PERSON
        and not is_own_work(person.key, event.key)
        and not (word and words[word - 1] in ADDRESSES)
    ]
    if people:
        parts.append(people[0].key)
    elif event.by_month and date.month:
        parts.append(month_name(date.month))
    fact = make_fact(message, row, "_".join(parts), " ".join(parts).replace("_", " "), *span)
    yield replace(fact, happens_on=date.day, expires_at=date.expires_at)
