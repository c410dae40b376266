"""What is believed of a tagger: fitted to the eighth of the lines that its layers have not seen."""

from __future__ import annotations

import zlib
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

import numpy as np

from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.event_kinds import NO_EVENT
from factcheck.instant.core.hearing_fit import FOLDS, KINDS, Numbers, find_accept, find_refuse
from factcheck.instant.core.hearing_model import Thresholds
from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.core.reader_context import ReaderContext
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.tagged_words import Tagger, tag_words
from factcheck.instant.core.value_candidates import add_stated
from factcheck.instant.core.value_choice import Candidate
from factcheck.instant.core.word_choice import FEATURES, WordChoice, list_features
from factcheck.instant.tagger_fit.lines import ReadLine
from knowledge.facts.core.instructions import INSTRUCTION
from knowledge.facts.core.types import FACT_TYPES, LIFE_EVENT, NUMBER_TYPES, PROTECTED_TYPES

SHARED_PULL, OWN_PULL = 0.3, 1.0
"""How strongly weights are drawn to nothing: those of all kinds, and what a kind adds to them."""
MIN_CANDIDATES = 12
"""A limit needs so many values above it."""
MIN_PRECISION = dict.fromkeys(KINDS, 0.88) | dict.fromkeys(PROTECTED_TYPES, 0.8) | {INSTRUCTION: 0.84}
"""The share of right values from a limit on. What protects a person is easy to add; numbers and events are all over
ordinary talk, of which labelled lines hold little; of wishes more is right than labels can say, which quote them.
"""
MIN_SURE, MIN_SURE_HEARD = 0.86, 0.87
"""The share of right values from which on what protects a person is out of doubt: below it is kept as disputed. The
lines that limits are chosen on are harder than talk: of it 97 of 100 are right above these limits.
"""
MIN_LIMIT = 0.0
"""Nothing but what a pattern heard is believed at less than even odds."""
MAX_LOST, MAX_LOST_OF_OTHERS = dict.fromkeys(PROTECTED_TYPES, 0.03) | {"hard_ban": 0.06}, 0.08
"""The share of right values of patterns that may be refused: what protects a person is dropped last."""
MIN_NAMED = 0.85
"""The share of events that are named right from a probability on."""
_STEPS = 60


@dataclass(frozen=True, slots=True)
class Weighed:
    """A candidate with its features, and whether it is right."""

    kind: int
    source: str
    is_right: bool
    features: Array
    about: float
    """The log-odds that the text states the kind."""
    fold: int


@dataclass(frozen=True, slots=True)
class FittedChoice:
    """The weights and limits, and each candidate with the score of weights that had not seen its line."""

    choice: WordChoice
    thresholds: dict[str, Thresholds]
    weighed: Sequence[Weighed]
    scores: Array


def fit_choice(
    lines: Sequence[ReadLine],
    tagger: Tagger,
    compiled: CompiledPatterns,
    concepts: ConceptTable,
    *,
    hard: Container[str] = (),
) -> FittedChoice:
    """For the lines that were kept apart from the layers; limits are chosen on those whose text is not `hard`."""
    found = [(each, _weigh(each, tagger, compiled, concepts)) for each in lines]
    weighed = [each for _, values in found for each in values]
    is_talk = np.array([line.line.text not in hard for line, values in found for _ in values], dtype=bool)
    inputs = np.stack([_spread(each) for each in weighed])
    wanted = np.array([each.is_right for each in weighed], dtype=np.float64)
    folds = np.array([each.fold for each in weighed])
    scores = np.zeros(len(weighed), dtype=np.float32)
    for fold in range(FOLDS):
        scores[folds == fold] = inputs[folds == fold] @ _fit(inputs[folds != fold], wanted[folds != fold])
    weights = _fit(inputs, wanted)
    shared = weights[:FEATURES]
    own = {kind: weights[FEATURES * (1 + column) :][:FEATURES] for column, kind in enumerate(KINDS)}
    choice = WordChoice({kind: (shared + each).astype(np.float32) for kind, each in own.items()})
    talk = [each for each, said in zip(weighed, is_talk, strict=True) if said]
    return FittedChoice(choice, choose_thresholds(talk, scores[is_talk]), weighed, scores)


def choose_min_event(lines: Sequence[ReadLine], tagger: Tagger) -> float:
    """The probability from which on layers name an event, for the lines that were kept apart from them."""
    named = []
    for each in lines:
        words = tag_words(each.message, (0, len(each.message.source)), tagger, each.question)
        if each.event == NO_EVENT or words.events is None:
            continue
        for column, start, end in each.labels:
            own = [row for row, word in enumerate(words.words) if start < word.source[1] and word.source[0] < end]
            odds = words.events.weigh(own) if KINDS[column] == LIFE_EVENT else None
            if odds is not None:
                named.append((float(odds.max()), int(odds.argmax()) == each.event))
    return find_accept(named, MIN_NAMED, MIN_CANDIDATES)


def _weigh(each: ReadLine, tagger: Tagger, compiled: CompiledPatterns, concepts: ConceptTable) -> Sequence[Weighed]:
    text = each.message.source
    tagged = tag_words(each.message, (0, len(text)), tagger, each.question)
    fold = zlib.crc32(text.encode()) % FOLDS
    own = AuthorSpans(text, is_topic=concepts.names_thing)
    context = ReaderContext(own, compiled.readers, concepts, SAID_AT, each.question)
    found = []
    for candidate in add_stated(each.message, each.candidates, [tagged], KINDS, context):
        column = KINDS.index(FACT_TYPES[candidate.fact.type].heard_as)
        features = list_features(candidate, each.message.text, tagged, column)
        is_right = each.line.expects(candidate.fact, concepts) or _is_labelled(each, candidate)
        found.append(Weighed(column, candidate.source, is_right, features, float(tagged.about[column]), fold))
    return found


def _is_labelled(each: ReadLine, candidate: Candidate) -> bool:
    """Whether a label has an event or a wish where the candidate stands, though by another name, or all of a number
    that it shows in other units: 170 for "5'7".
    """
    start, end = each.message.locate(*candidate.span)
    kind = FACT_TYPES[candidate.fact.type].heard_as
    places = [(first, last) for column, first, last in each.labels if KINDS[column] == kind]
    if kind in NUMBER_TYPES:
        return any(start <= first and last <= end for first, last in places)
    return kind in (LIFE_EVENT, INSTRUCTION) and any(first < end and start < last for first, last in places)


def _spread(each: Weighed) -> Numbers:
    """The features once for all kinds and once for the own."""
    row: Numbers = np.zeros(FEATURES * (1 + len(KINDS)))
    row[:FEATURES] = each.features
    row[FEATURES * (1 + each.kind) :][:FEATURES] = each.features
    return row


def _fit(inputs: Numbers, wanted: Numbers) -> Numbers:
    """The weights of least cross-entropy and pull, by Newton's steps."""
    pull = np.r_[np.full(FEATURES, SHARED_PULL), np.full(FEATURES * len(KINDS), OWN_PULL)]
    weights: Numbers = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (odds - wanted) + pull * weights
        bend = (inputs * (odds * (1 - odds) + 1e-3)[:, None]).T @ inputs + np.diag(pull)
        move = np.linalg.solve(bend, slope)
        weights = weights - move
        if float(np.abs(move).max()) < 1e-6:
            break
    return weights


def choose_thresholds(weighed: Sequence[Weighed], scores: Array) -> dict[str, Thresholds]:
    """What readers and layers find of a kind is believed from where enough of it is right; of what patterns heard
    right, few are refused.

    One limit serves all that no pattern heard: weights know how a value was found, and of one source alone too few are
    right to tell.
    """
    found = {}
    for column, kind in enumerate(KINDS):
        own = [(float(score), each) for score, each in zip(scores, weighed, strict=True) if each.kind == column]
        others = [(score, each.is_right) for score, each in own if each.source != "heard"]
        heard = [(score, each.is_right) for score, each in own if each.source == "heard"]
        right = [score for score, is_right in heard if is_right]
        accept = max(MIN_LIMIT, find_accept(others, MIN_PRECISION[kind], MIN_CANDIDATES))
        refuse = find_refuse(right, MAX_LOST.get(kind, MAX_LOST_OF_OTHERS), MIN_CANDIDATES)
        found[kind] = Thresholds(accept, min(accept, refuse))
        if kind in PROTECTED_TYPES:
            sure = find_accept(others, MIN_SURE, MIN_CANDIDATES)
            sure_heard = find_accept(heard, MIN_SURE_HEARD, MIN_CANDIDATES)
            found[kind] = replace(found[kind], sure=sure, sure_heard=sure_heard)
    return found
