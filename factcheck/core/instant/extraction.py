"""From a message to the facts that it states about its author. Precision first: in doubt there is no fact."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from factcheck.core.instant.author_spans import AuthorSpans
from factcheck.core.instant.concepts import ConceptTable
from factcheck.core.instant.event_dates import find_event_date, month_name, without_date
from factcheck.core.instant.frames import Frame, Span
from factcheck.core.instant.guards import QUESTION, build_guard_context
from factcheck.core.instant.listing import ListedValue, read_list
from factcheck.core.instant.messages import FoldedMessage, fold_message
from factcheck.core.instant.money import read_money
from factcheck.core.instant.patterns import CompiledPattern, PatternSet, takes_part
from factcheck.core.instant.sizes import CLOTHES_RANGE, SHOE_RANGE, read_letter_size, read_number_size
from knowledge.text.language import detect_language

MOST_FACTS = 50
MOST_HITS = 50
"""How often one pattern is read in one message: each hit costs up to milliseconds, and a megabyte holds 50,000."""
_WORDS_AFTER_HIT = 2
_BEFORE_NAMES = frozenset({
    "a", "an", "the", "severe", "serious", "bad", "terrible", "horrible", "mild", "slight", "deadly", "major", "huge",
    "pretty", "really", "very", "strong", "fatal", "food", "known", "new", "graphic", "explicit", "detailed", "any",
    "all", "and", "или", "и", "а", "на", "к", "сильная", "любые", "все", "всякие", "откровенные", "графичные",
    "مشاهد", "اي",
})  # fmt: skip
_SCRIPTS = (re.compile("[A-Za-z]{3}"), re.compile("[а-яёА-ЯЁ]{2}"), re.compile("[\u0620-\u064a]{2}"))
_WORDS_TO_PERSON = 3
_SHOE_KEY = "shoe_size"
_MEASURED = re.compile(r"[0-9]{1,6}(?:[.,][0-9]{1,6})?")
_MEASURES = {"height_cm": range(100, 231), "weight_kg": range(30, 251)}


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """A hard fact about the author of a message, with the words that prove it."""

    type: str
    key: str
    value: str
    language: str
    confidence: float
    pattern: str
    start: int
    end: int
    quote: str
    happens_on: datetime.date | None = None
    expires_at: datetime.datetime | None = None


def extract_facts(
    text: str,
    *,
    compiled: PatternSet,
    concepts: ConceptTable,
    now: datetime.datetime,
    frame: Frame = "unknown",
    user_key: str = "",
    packs_off: frozenset[str] = frozenset(),
) -> list[ExtractedFact]:
    """The facts of one message in reading order, one for each (type, key); the last one said holds.

    Words of a character give none: with frame `in_character` (or with actions in asterisks and dialogue dashes when the
    frame is unknown) only what is marked as out of character is read. Quotes and quoted lines are never read.
    `user_key` decides which patterns that are on trial take part; patterns of `packs_off` never do.
    """
    message = fold_message(text)
    hits = compiled.match(message.text)
    if not hits:
        return []
    own = AuthorSpans(text, frame, is_topic=concepts.names_thing)
    if not own.says_anything:
        return []
    found: dict[tuple[str, str], ExtractedFact] = {}
    for hit in hits:
        if hit.row.pack in packs_off or not takes_part(hit.row, user_key):
            continue
        for fact in _read_hit(message, hit, concepts, now):
            if not own.contains(fact.start):
                continue
            earlier = found.get((fact.type, fact.key))
            if earlier is None or fact.start > earlier.end:
                found[fact.type, fact.key] = fact
            if len(found) >= MOST_FACTS:
                break
    language = _name_language(text)
    facts = [replace(fact, language=language if language == "mixed" else fact.language) for fact in found.values()]
    return sorted(facts, key=lambda fact: fact.start)


def is_hit(message: FoldedMessage, pattern: CompiledPattern) -> bool:
    """Whether a pattern occurs in a message and is believed there, whatever value it would find."""
    for match in itertools.islice(pattern.expression.finditer(message.text), MOST_HITS):
        start, end = _trim(message.text, match.start(), match.end())
        if passes_guards(message, pattern, start, end):
            return True
    return False


def _read_hit(
    message: FoldedMessage, hit: CompiledPattern, concepts: ConceptTable, now: datetime.datetime
) -> Iterator[ExtractedFact]:
    for match in itertools.islice(hit.expression.finditer(message.text), MOST_HITS):
        start, end = _trim(message.text, match.start(), match.end())
        if passes_guards(message, hit, start, end):
            yield from _read_values(message, hit, match, (start, end), message.sentence(start, end), concepts, now)


def _trim(text: str, start: int, end: int) -> Span:
    """The hit without the characters that only prove its word boundaries."""
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum() and text[end - 1] not in "$€£₽₹":
        end -= 1
    return start, end


def passes_guards(message: FoldedMessage, hit: CompiledPattern, start: int, end: int) -> bool:
    """Whether a hit is believed where it stands: its anchors are near, and no guard speaks against it."""
    context = build_guard_context(message, start, end)
    if hit.anchors is not None and not hit.anchors.search(context.sentence):
        return False
    if hit.anti_anchors is not None and hit.anti_anchors.search(context.sentence):
        return False
    if context.is_question and QUESTION not in hit.row.skips:
        return False
    return not any(expression.search(context.around[where]) for where, expression in hit.guards)


def _read_values(
    message: FoldedMessage,
    hit: CompiledPattern,
    match: Any,
    span: Span,
    sentence: Span,
    concepts: ConceptTable,
    now: datetime.datetime,
) -> Iterator[ExtractedFact]:
    rule = hit.row.key_rule
    if rule in ("concept", "phrase"):
        for item in _list_values(message, hit, match, concepts):
            yield _make_fact(message, hit, item.key, item.value, min(span[0], item.start), max(span[1], item.end))
    elif rule == "event":
        yield from _read_event(message, hit, span, sentence, concepts, now)
    else:
        named = _read_number(message, hit, match.group("value"), sentence)
        if named is not None:
            yield _make_fact(message, hit, *named, *span)


def _list_values(message: FoldedMessage, hit: CompiledPattern, match: Any, concepts: ConceptTable) -> list[ListedValue]:
    row = hit.row
    if row.key and row.key_rule == "concept":
        concept = concepts.concepts.get(row.key)
        label = concept.label if concept else row.key.replace("_", " ")
        return [ListedValue(row.key, label, match.start(), match.end(), is_known=True)]
    if "value" in match.re.groupindex and match.group("value") is not None:
        start, end = match.span(match.re.groupindex["value"])
        while start < end:  # an adjective may stand before a name: "severe nut (allergy)"
            values = read_list(message.text, start, concepts, row.type, end=end)
            if values:
                return values if values[-1].end >= end - 1 else []
            space = message.text.find(" ", start, end)
            if space < 0 or message.text[start:space] not in _BEFORE_NAMES:
                return []
            start = space + 1
        return []
    after = (
        match.end() - 1 if match.end() > match.start() and not message.text[match.end() - 1].isalnum() else match.end()
    )
    return read_list(message.text, after, concepts, row.type, phrases=row.key_rule == "phrase", closed=row.closed)


def _read_number(
    message: FoldedMessage, hit: CompiledPattern, said: str | None, sentence: Span
) -> tuple[str, str] | None:
    row = hit.row
    if not said:
        return None
    if row.key_rule == "money":
        money = read_money(said)
        return (row.key or "general", money[0]) if money else None
    if row.key_rule == "measure":
        measured = _MEASURED.search(said)
        if measured is None:
            return None
        size = float(measured[0].replace(",", "."))
        number = round(size * 100) if row.key == "height_cm" and size < 3 else round(size)
        return (row.key, str(number)) if number in _MEASURES.get(row.key, range(1, 1000)) else None
    if row.key == _SHOE_KEY:
        number_size = read_number_size(said, SHOE_RANGE)
        return (_SHOE_KEY, number_size) if number_size else None
    read = read_letter_size(said) or read_number_size(said, CLOTHES_RANGE)
    return (row.key or "size", read) if read else None


def _read_event(
    message: FoldedMessage,
    hit: CompiledPattern,
    span: Span,
    sentence: Span,
    concepts: ConceptTable,
    now: datetime.datetime,
) -> Iterator[ExtractedFact]:
    """An event is named within the hit or in the words after it; a `closed` row wants its date said as well."""
    text = message.text
    clause = text[span[0] : sentence[1]]
    events = concepts.find_all(clause, "event")
    if not events or events[0][1] > len(text[span[0] : span[1]].split()) + _WORDS_AFTER_HIT:
        return
    event, place = events[0]
    said = find_event_date(text[sentence[0] : sentence[1]], now)
    if said is None and hit.row.closed:
        return
    date = said or without_date(now)
    parts = [event.key]
    people = [
        person
        for person, word in concepts.find_all(clause, "person")
        if word != place and abs(word - place) <= _WORDS_TO_PERSON
    ]
    if people:
        parts.append(people[0].key)
    elif event.by_month and date.month:
        parts.append(month_name(date.month))
    fact = _make_fact(message, hit, "_".join(parts), " ".join(parts).replace("_", " "), *span)
    yield replace(fact, happens_on=date.day, expires_at=date.expires_at)


def _make_fact(
    message: FoldedMessage, hit: CompiledPattern, key: str, value: str, start: int, end: int
) -> ExtractedFact:
    first, last = message.locate(start, end)
    row = hit.row
    return ExtractedFact(
        type=row.type, key=key, value=value, language=row.language, confidence=row.confidence,
        pattern=f"{row.pack}/{row.name}", start=first, end=last, quote=message.source[first:last],
    )  # fmt: skip


def _name_language(text: str) -> str:
    """`mixed` when a message has words of two scripts, else the detected language."""
    if sum(1 for script in _SCRIPTS if script.search(text)) > 1:
        return "mixed"
    return detect_language(text)
