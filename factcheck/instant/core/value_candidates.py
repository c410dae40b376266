"""The values that a message may state, found by readers or by fitted layers: what hearing by meaning judges."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.event_reader import list_events
from factcheck.instant.core.extracted import ExtractedFact, make_fact
from factcheck.instant.core.found_values import is_wider, list_found
from factcheck.instant.core.guards import UNCERTAINTY
from factcheck.instant.core.hits import find_guards, is_refused
from factcheck.instant.core.instruction_words import load_instruction_words
from factcheck.instant.core.instructions import read_instructions
from factcheck.instant.core.measure_reader import read_measures
from factcheck.instant.core.mentions import names_value
from factcheck.instant.core.messages import FoldedMessage, fold
from factcheck.instant.core.narrative_modes import NarrativeMode, Span
from factcheck.instant.core.pattern_rows import HAPPENED
from factcheck.instant.core.patterns import CompiledPattern, CompiledPatterns
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.sum_reader import read_sums
from factcheck.instant.core.tagged_words import TaggedWords
from factcheck.instant.core.value_choice import Candidate
from factcheck.instant.core.value_lists import list_mentions
from factcheck.instant.core.value_types import ReadEvent, ReadValue
from factcheck.instant.core.withdrawn_values import fold_without_withdrawn
from knowledge.facts.core.types import (
    FACT_TYPES,
    NUMBER_TYPES,
    THING_TYPES,
    WISH_TYPES,
    get_wish_type,
)

_Read = tuple[ExtractedFact, Span, frozenset[str]]
"""What a reader found, where, and the kinds of guards that speak against it."""
_WORDS = re.compile(r"[^\W_]{3,}")
MAX_SENTENCES = 40
MAX_CANDIDATES = 60


def find_candidates(
    text: str,
    heard: Sequence[ExtractedFact],
    *,
    compiled: CompiledPatterns,
    concepts: ConceptTable,
    now: datetime.datetime,
    mode: NarrativeMode = "unknown",
) -> tuple[FoldedMessage, list[Candidate]]:
    """A message folded, and its candidates beside what patterns heard of it; see `list_candidates`."""
    message = fold_without_withdrawn(text)
    own = AuthorSpans(text, mode, is_topic=concepts.names_thing)
    return message, list_candidates(message, heard, ReaderContext(own, compiled.readers, concepts, now))


def list_candidates(message: FoldedMessage, heard: Sequence[ExtractedFact], context: ReaderContext) -> list[Candidate]:
    """All values that may be facts of the author: found by readers, with or without a guard against them, and heard.

    What patterns heard is always among them; of the rest the first `MAX_CANDIDATES` are.
    """
    known = {(fact.type, fact.key): fact for fact in heard}
    candidates: list[Candidate] = []
    guarded: list[Candidate] = []
    room = MAX_CANDIDATES
    groups = [
        (sentence, [each for each in group if context.own.contains(each[0].start)])
        for sentence in list_sentences(message)
        for group in _read_values(message, sentence, context)
    ]
    places = _place_heard(known, groups)
    for sentence, said in groups:
        guarded += [Candidate(fact, span, sentence, guards=against) for fact, span, against in said if against]
        values = [(fact, span) for fact, span, against in said if not against]
        for place, (fact, span) in enumerate(values):
            is_told = places.get((fact.type, fact.key)) == span
            told = known.pop((fact.type, fact.key), None) if is_told else None
            if told is not None and told.type in NUMBER_TYPES and _is_same_place(told, fact):
                told = replace(told, value=fact.value)  # readers know units, ranges and parts of a number
            if told is None and not room:
                continue
            room -= told is None
            candidates.append(Candidate(told or fact, span, sentence, place, len(values), told is not None))
    candidates += [
        _make_heard(message, fact, guarded)
        for fact in known.values()
        if not fact.answers_previous or names_value(fact.quote, fact, context.concepts)
    ]
    return [*candidates, *guarded[:MAX_CANDIDATES]]


def _place_heard(
    known: Mapping[tuple[str, str], ExtractedFact], groups: Iterable[tuple[Span, Sequence[_Read]]]
) -> dict[tuple[str, str], Span]:
    """Where readers find what patterns heard, with no guard against it: at the pattern's words, or where it is said
    first if readers find nothing there.
    """
    places: dict[tuple[str, str], Span] = {}
    for name, told in known.items():
        same = [each for _, said in groups for each in said if (each[0].type, each[0].key) == name]
        there = [each for each in same if told.start < each[0].end and each[0].start < told.end]
        span = next((span for _, span, against in there or same if not against), None)
        if span is not None:
            places[name] = span
    return places


def _is_same_place(told: ExtractedFact, read: ExtractedFact) -> bool:
    """Whether a pattern heard what a reader reads there; the words of an answer are all of it."""
    return told.answers_previous or (told.start < read.end and read.start < told.end)


def add_stated(
    message: FoldedMessage,
    candidates: Sequence[Candidate],
    tagged: Iterable[TaggedWords],
    kinds: Sequence[str],
    context: ReaderContext,
) -> list[Candidate]:
    """The candidates with what fitted layers find beside them: words that no reader knows, said by the author.

    Of a number of which a reader found but a part, the whole takes its place; of a thing both are candidates.

    `tagged` are the texts of the message with a column for each of the `kinds`.
    """
    taken = [(FACT_TYPES[each.fact.type].heard_as, each.span) for each in candidates]
    found = []
    for words in tagged:
        for kind, value in list_found(message, words, kinds, taken, context):
            if kind in WISH_TYPES and is_chosen(message.text[value.start : value.end], context.question):
                continue
            reader, span = context.readers[kind], (value.start, value.end)
            fact = _make_fact(message, reader, value)
            against = _find_guards(message, reader, value)
            if context.own.contains(fact.start) and not (against and is_refused(message, reader, *span)):
                found.append(Candidate(fact, span, message.sentence(*span), guards=against, is_found=True))
    return [each for each in candidates if each.is_heard or not _is_part(each, found)] + found


def is_chosen(said: str, question: str) -> bool:
    """Whether words are of those that a question offers ("left" of "Left to the mill, or right?"), and not for good."""
    folded = fold(question)
    offered = set(_WORDS.findall(folded))
    is_offered = any(word in offered for word in _WORDS.findall(said))
    return is_offered and load_instruction_words().lasting.search(folded) is None


def _is_part(candidate: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether a number is part of one of these; a wish is not, though another is found in the clause around it."""
    same = [each for each in found if each.fact.type == candidate.fact.type]
    return candidate.fact.type in NUMBER_TYPES and any(is_wider(each.span, candidate.span) for each in same)


def _make_heard(message: FoldedMessage, fact: ExtractedFact, guarded: Iterable[Candidate]) -> Candidate:
    """What a pattern heard and no reader finds by itself; with the guards that speak against it where a reader found
    it (`guarded`), which weigh where words judge.
    """
    start, end = message.find_place(fact.start), message.find_place(fact.end)
    same = (each for each in guarded if (each.fact.type, each.fact.key) == (fact.type, fact.key))
    against = next((each.guards for each in same if start < each.span[1] and each.span[0] < end), frozenset[str]())
    return Candidate(fact, (start, end), message.sentence(start, end), is_heard=True, guards=against)


def list_sentences(message: FoldedMessage) -> list[Span]:
    """The sentences of a folded message that hold a word, as far as they are looked at.

    They are those of `FoldedMessage.sentence`, so that readers see what guards look at, and text without marks is cut
    after 240 characters, so that all of it can be embedded. `split_sentences` of `clauses.py` has other borders: it
    must not miss one.
    """
    found: list[Span] = []
    place = 0
    while place < len(message.text) and len(found) < MAX_SENTENCES:
        start, end = message.sentence(place, place + 1)
        start, end = max(start, place), max(end, place + 1)
        if any(character.isalnum() for character in message.text[start:end]):
            found.append((start, end))
        place = end
    return found


def _read_values(
    message: FoldedMessage,
    sentence: Span,
    context: ReaderContext,
) -> Iterator[list[_Read]]:
    """The values of a sentence kind by kind, as facts, with the kinds of guards that speak against them."""
    arabizi, concepts = is_arabizi(message.text), context.concepts
    values: dict[str, Sequence[ReadValue]] = {
        kind: list_mentions(message.text, *sentence, concepts, kind, arabizi=arabizi) for kind in THING_TYPES
    }
    values["body_params"] = read_measures(message, sentence, is_expected=True)
    values["budget"] = read_sums(message, sentence, is_expected=True)
    values["life_event"] = list_events(message, sentence, concepts, context.now)
    wishes = read_instructions(message, *sentence)
    for name in WISH_TYPES:
        values[name] = [wish for wish in wishes if get_wish_type(wish.key) == name]
    for kind, found in values.items():
        reader = context.readers[kind]
        guards = [_find_guards(message, reader, value) for value in found]
        yield [
            (_make_fact(message, reader, value), (value.start, value.end), against)
            for value, against in zip(found, guards, strict=True)
            if not (against and is_refused(message, reader, value.start, value.end))
        ]


def _find_guards(message: FoldedMessage, reader: CompiledPattern, value: ReadValue) -> frozenset[str]:
    kinds = find_guards(message, reader, value.start, value.end)
    return kinds | {UNCERTAINTY} if value.is_doubtful else kinds


def _make_fact(message: FoldedMessage, reader: CompiledPattern, value: ReadValue) -> ExtractedFact:
    fact = make_fact(message, reader.row, value.key, value.value, value.start, value.end)
    if isinstance(value, ReadEvent):
        name = f"{fact.pattern}{HAPPENED}lately" if value.is_recent else fact.pattern
        return replace(fact, pattern=name, happens_on=value.happens_on, expires_at=value.expires_at)
    return fact
