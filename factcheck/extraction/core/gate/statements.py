"""The statement that a quote rests on: an anchor of the type and the value on one span, said of the author."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from factcheck.extraction.core.deltas import Delta
from factcheck.extraction.core.gate.doubts import find_doubt
from factcheck.extraction.core.gate.negations import find_negation
from factcheck.extraction.core.gate.rules import GateRules, trim
from factcheck.extraction.core.gate.sources import Source
from factcheck.extraction.core.gate.speakers import detect_speaker, is_declared, speaks_of_self
from factcheck.extraction.core.gate.values import is_same
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.instant.core.arabizi import is_arabizi
from factcheck.instant.core.chinese import is_chinese
from factcheck.instant.core.event_reader import read_events
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.hits import MAX_HITS, passes_guards
from factcheck.instant.core.instructions import read_instructions
from factcheck.instant.core.measure_reader import read_measures
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.nearby import read_nearby
from factcheck.instant.core.reader_words import compile_phrases
from factcheck.instant.core.sum_reader import read_sums
from factcheck.instant.core.value_lists import read_list, split_tokens
from factcheck.instant.core.value_types import ReadEvent, ReadValue
from factcheck.instant.core.words import read_words
from knowledge.facts.core.types import FACT_TYPES, THING_TYPES, WISH_TYPES, get_wish_type

_MAX_WORDS_TO_ANCHOR = 4
"""Words between an anchor and a bare figure that counts because of it: "size is usually around 44"."""
_MAX_WORDS_BESIDE_SUM = 2
"""A sum without any word of spending counts where it is nearly all that is said: "500 dirhams max", "AED 500"."""
_MAX_ANCHORS = 12
_HEDGES = read_words("fillers") | read_words("tail") | read_words("answer_openers")


@dataclass(frozen=True, slots=True)
class Statement:
    """What was read: canonical key and value, the raw range that says so, and what it is worth."""

    key: str
    value: str
    start: int
    end: int
    is_declared: bool
    expires_at: dt.datetime | None = None
    answers_previous: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no statement was found; of several reasons the one that comes closest to a statement counts."""

    code: VerdictCode
    detail: str = ""


_CLOSENESS = (
    VerdictCode.NO_ANCHOR, VerdictCode.VALUE_NOT_SAID, VerdictCode.NOT_SAID_BY_USER, VerdictCode.ECHO,
    VerdictCode.GUARDED, VerdictCode.SUBJECT,
)  # fmt: skip


def find_statement(source: Source, delta: Delta, span: Span, rules: GateRules) -> Statement | Refusal:
    """What the sentences around a quoted raw range state of what a delta proposes, or why they do not."""
    sentences = source.list_sentences(span)
    refusals: list[Refusal] = []
    for found in itertools.chain(
        _list_heard(source, delta, sentences, rules), _list_read(source, delta, sentences, rules)
    ):
        if isinstance(found, Statement):
            return found
        refusals.append(found)
    if not refusals:
        return Refusal(VerdictCode.NO_ANCHOR)
    return max(refusals, key=lambda each: _CLOSENESS.index(each.code))


# -- What patterns heard -------------------------------------------------------------------------------------------


def _list_heard(source: Source, delta: Delta, sentences: list[Span], rules: GateRules) -> Iterator[Statement | Refusal]:
    """Facts that the patterns of the version find there themselves: anchors, values and guards are theirs."""
    if not sentences:
        return
    first, last = source.folded.locate(sentences[0][0], sentences[-1][1])
    for fact in source.heard:
        if fact.type != delta.type or fact.end <= first or last <= fact.start:
            continue
        if not is_same(delta, fact.key, fact.value, rules.concepts, said=fact.quote):
            yield Refusal(VerdictCode.VALUE_NOT_SAID)
            continue
        yield _judge_heard(source, delta, fact)


def _judge_heard(source: Source, delta: Delta, fact: ExtractedFact) -> Statement | Refusal:
    message = source.folded
    span = message.find_place(fact.start), message.find_place(fact.end)
    sentence = message.sentence(*span)
    if source.is_echo((fact.start, fact.end)):
        return Refusal(VerdictCode.ECHO)
    is_bound = FACT_TYPES[delta.type].subject == "author" and not fact.answers_previous
    speaker = detect_speaker(message, sentence, span) if is_bound else "author"
    if speaker == "other" or (speaker == "unsaid" and delta.type == "allergy"):
        return Refusal(VerdictCode.SUBJECT, "said of somebody else, or of nobody")
    doubt = find_doubt(message, sentence, delta.type, fact.value) or find_negation(message, delta.type, span)
    if doubt:
        return Refusal(VerdictCode.GUARDED, doubt)
    declared = not fact.answers_previous and is_declared(message, sentence, span)
    return Statement(
        fact.key, fact.value, fact.start, fact.end, declared, fact.expires_at, answers_previous=fact.answers_previous
    )


# -- What readers find beside an anchor ----------------------------------------------------------------------------


def _list_read(source: Source, delta: Delta, sentences: list[Span], rules: GateRules) -> Iterator[Statement | Refusal]:
    message = source.folded
    has_value = False
    for sentence in sentences:
        for anchor, value in _read_sentence(message, delta, sentence, rules, source.message.said_at):
            has_value = True
            said = message.quote(value.start, value.end)
            if not is_same(delta, value.key, value.value, rules.concepts, said=said):
                yield Refusal(VerdictCode.VALUE_NOT_SAID)
                continue
            yield _judge(source, delta, anchor, value, rules)
    if not has_value and any(rules.list_anchors(message, sentence, delta.type) for sentence in sentences):
        yield Refusal(VerdictCode.VALUE_NOT_SAID)


def _read_sentence(
    message: FoldedMessage, delta: Delta, sentence: Span, rules: GateRules, now: dt.datetime
) -> Iterator[tuple[Span, ReadValue]]:
    """Values of the type in a sentence, each with the anchor that it is read by."""
    if delta.type in THING_TYPES:
        yield from _read_things(message, delta.type, sentence, rules)
    elif delta.type == "body_params":
        yield from _read_measures(message, sentence, rules)
    elif delta.type == "budget":
        yield from _read_sums(message, sentence, rules)
    elif delta.type == "life_event":
        anchors = _list_anchors(message, delta.type, sentence, rules)
        for event in read_events(message, sentence, rules.concepts, now):
            if not any(start < event.end and event.start < end for start, end in anchors):
                continue
            is_named_own = speaks_of_self(message.text[event.start : event.end])
            if event.happens_on is not None or is_named_own:  # else it may be talk of such events
                yield (event.start, event.end), event
    else:
        for wish in read_instructions(message, *sentence):
            if get_wish_type(wish.key) == delta.type:
                yield (wish.start, wish.end), wish


def _read_things(
    message: FoldedMessage, fact_type: str, sentence: Span, rules: GateRules
) -> Iterator[tuple[Span, ReadValue]]:
    arabizi = is_arabizi(message.text)
    for start, end in _list_anchors(message, fact_type, sentence, rules):
        values: list[ReadValue] = list(
            read_nearby(message, start, end, rules.concepts, fact_type, arabizi=arabizi)
        ) or list(read_list(message.text, end, rules.concepts, fact_type, phrases=True, direct=True, arabizi=arabizi))
        for value in values:
            yield (start, end), value


def _list_anchors(message: FoldedMessage, fact_type: str, sentence: Span, rules: GateRules) -> list[Span]:
    """Anchors of the sentence: rows, and hits of patterns that are believed there."""
    found = rules.list_anchors(message, sentence, fact_type)
    said = message.text[slice(*sentence)]
    for pattern in rules.list_patterns(message, fact_type):
        for match in itertools.islice(pattern.expression.finditer(said), MAX_HITS):
            span = trim(said, match.span(), sentence[0])
            if span not in found and passes_guards(message, pattern, *span):
                found.append(span)
    return found[:_MAX_ANCHORS]


def _read_measures(message: FoldedMessage, sentence: Span, rules: GateRules) -> Iterator[tuple[Span, ReadValue]]:
    """Measures that their own words name; bare figures right beside an anchor."""
    anchors = _list_anchors(message, "body_params", sentence, rules)
    plain = read_measures(message, sentence)
    for value in plain:
        if anchors or value.key != "size" or is_declared(message, sentence, (value.start, value.end)):
            yield (value.start, value.end), value
    if plain or not anchors:
        return
    for value in read_measures(message, sentence, is_expected=True):
        if not _looks_like_size(message.quote(value.start, value.end)):
            continue
        near = next((each for each in anchors if _is_near(message.text, each, (value.start, value.end))), None)
        if near is not None:
            yield near, value


def _read_sums(message: FoldedMessage, sentence: Span, rules: GateRules) -> Iterator[tuple[Span, ReadValue]]:
    """Sums beside a word of spending, or with hardly a word beside them. Prices, debts and earnings are none."""
    anchors = _list_anchors(message, "budget", sentence, rules)
    said = message.text[slice(*sentence)]
    is_price = compile_phrases("sum_refusals").search(said) is not None
    for value in read_sums(message, sentence, is_expected=bool(anchors) and not is_price):
        span = (value.start, value.end)
        words = [word for word, start, end in split_tokens(message.text, *sentence)
                 if word[0].isalnum() and not (span[0] < end and start < span[1])]  # fmt: skip
        if anchors and " " in value.value:  # a bare number beside "at most" may count anything
            yield anchors[0], value
        elif not is_price and len(words) <= _MAX_WORDS_BESIDE_SUM and _HEDGES.issuperset(words):
            yield span, value


def _looks_like_size(said: str) -> bool:
    """Whether typed words may be a figure by themselves: «с» and "m" are words as well."""
    return any(map(str.isdigit, said)) or len(said) > 1 or said.isupper()


def _is_near(text: str, anchor: Span, value: Span) -> bool:
    first, last = (anchor[1], value[0]) if anchor[1] <= value[0] else (value[1], anchor[0])
    if first >= last:
        return True
    tokens = split_tokens(text, first, last)
    return len(tokens) <= _MAX_WORDS_TO_ANCHOR and not any(word in ",;:()" for word, _, _ in tokens)


def _judge(source: Source, delta: Delta, anchor: Span, value: ReadValue, rules: GateRules) -> Statement | Refusal:
    """A value beside its anchor: said by the author, of the author, in earnest."""
    message = source.folded
    spans = [(value.start, value.end), anchor]
    for span in dict.fromkeys(spans):
        raw = message.locate(*span)
        if not source.is_own(raw):
            return Refusal(VerdictCode.NOT_SAID_BY_USER)
        if source.is_echo(raw):
            return Refusal(VerdictCode.ECHO)
    for span in dict.fromkeys(spans):
        sentence = message.sentence(*span)
        speaker = "author" if delta.type in WISH_TYPES else detect_speaker(message, sentence, span)
        if speaker == "other" or (speaker == "unsaid" and delta.type != "budget"):
            return Refusal(VerdictCode.SUBJECT, "said of somebody else, or of nobody")
        doubt = find_doubt(message, sentence, delta.type, value.value) or find_negation(message, delta.type, span)
        if doubt:
            return Refusal(VerdictCode.GUARDED, doubt)
    for span in _list_guarded(message, delta.type, *spans):
        is_believed = passes_guards(message, rules.patterns.readers[delta.type], *span)
        if not is_believed or (is_chinese(message.source) and _name_guards(message, span, delta.type, rules)):
            return Refusal(VerdictCode.GUARDED, _name_guards(message, span, delta.type, rules))
    start = min(each[0] for each in spans)
    end = max(each[1] for each in spans)
    first, last = message.locate(start, end)
    sentence = message.sentence(value.start, value.end)
    return Statement(
        value.key,
        value.value,
        first,
        last,
        is_declared(message, sentence, (value.start, value.end)),
        value.expires_at if isinstance(value, ReadEvent) else None,
    )


def _list_guarded(message: FoldedMessage, fact_type: str, value: Span, anchor: Span) -> Iterator[Span]:
    """What guards look around: the anchor, and with the value as one where both stand in a sentence.

    The value of a thing is not looked around alone: what negates in "can't eat gluten" is the anchor itself.
    """
    yield anchor
    both = min(value[0], anchor[0]), max(value[1], anchor[1])
    if fact_type not in THING_TYPES or message.sentence(*value) != message.sentence(*anchor):
        yield value
    elif both != anchor:
        yield both


def _name_guards(message: FoldedMessage, span: Span, fact_type: str, rules: GateRules) -> str:
    return ", ".join(sorted(rules.patterns.guard_sets.find_kinds(message, *span, fact_type=fact_type)))
