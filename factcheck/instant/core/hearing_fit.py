"""Fitting the model of hearing to labelled lines, and what it is worth on lines that it has not seen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.hearing_model import HearingModel, Thresholds, name_version
from factcheck.instant.core.labelled_lines import SAID_AT, LabelledLine
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.network_fit import fit_network
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.value_candidates import find_candidates
from factcheck.instant.core.value_choice import BUCKETS, Candidate, ValueModel, hash_features
from knowledge.facts.core.types import FACT_TYPES

KINDS = tuple(each.name for each in FACT_TYPES.values() if each.heard_as == each.name)
FOLDS = 5
MIN_PRECISION = 0.8
"""Of a kind's values from the threshold on, in lines that were held back."""
MAX_LOST = {"allergy": 0.02, "hard_ban": 0.03}
MAX_LOST_OF_OTHERS = 0.08
"""The share of right facts of patterns that may be refused: what protects a person is dropped last."""
MIN_CANDIDATES = 20
"""Fewer of a type and its readers stay silent: nobody knows what they are worth."""
STEPS = 300
PULL_OF_WORDS = 6.0
"""How strongly the weight of a word is drawn to nothing: most words stand in one line alone."""
NEVER = 99.0
Embed = Callable[[Sequence[str]], Array]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate of a line, the odds of its kind by a model that had not seen the line, and whether it is right."""

    line: int
    message: FoldedMessage
    candidate: Candidate
    kind_logit: float
    is_right: bool


@dataclass(frozen=True, slots=True)
class FittedHearing:
    """A model, and each candidate with the score that another gave it, fitted without its line."""

    model: HearingModel
    judged: Sequence[Judged]
    held_back: Array


def fit_hearing(
    lines: Sequence[LabelledLine], *, compiled: CompiledPatterns, concepts: ConceptTable, embed: Embed, embedder: str
) -> FittedHearing:
    """The model of all lines, with thresholds from what five others say of the fifth that each had not seen.

    A line's fold and all random numbers are the same in every run: the same lines give the same weights.
    """
    vectors = embed([line.text for line in lines])
    labels = np.array([[kind in map(_get_kind, line.kinds) for kind in KINDS] for line in lines], dtype=np.float32)
    folds = np.array([int(hashlib.sha256(line.text.encode()).hexdigest()[:8], 16) % FOLDS for line in lines])
    logits: list[Mapping[str, float]] = [{}] * len(lines)
    for fold in range(FOLDS):
        part = fit_network(vectors[folds != fold], labels[folds != fold], KINDS)
        for place, scores in zip(np.flatnonzero(folds == fold), part.score(vectors[folds == fold]), strict=True):
            logits[place] = scores
    judged = list(_judge(lines, logits, compiled, concepts))
    held_back = np.zeros(len(judged), dtype=np.float32)
    fold_of = np.array([folds[each.line] for each in judged])
    for fold in range(FOLDS):
        values = _fit_values([each for each, own in zip(judged, fold_of, strict=True) if own != fold])
        for place in np.flatnonzero(fold_of == fold):
            each = judged[place]
            held_back[place] = values.score(each.message, each.candidate, each.kind_logit)
    kinds, values = fit_network(vectors, labels, KINDS), _fit_values(judged)
    thresholds = {kind: _choose_thresholds(kind, judged, held_back) for kind in KINDS}
    model = HearingModel(name_version(kinds, values), embedder, kinds, values, thresholds)
    return FittedHearing(model, judged, held_back)


def _judge(
    lines: Sequence[LabelledLine],
    logits: Sequence[Mapping[str, float]],
    compiled: CompiledPatterns,
    concepts: ConceptTable,
) -> Iterator[Judged]:
    """The candidates of all lines that no guard speaks against."""
    for number, line in enumerate(lines):
        heard = extract_facts(line.text, compiled=compiled, concepts=concepts, now=SAID_AT)
        message, candidates = find_candidates(line.text, heard, compiled=compiled, concepts=concepts, now=SAID_AT)
        for candidate in candidates:
            if candidate.is_guarded:
                continue
            is_right = line.expects(candidate.fact, concepts)
            yield Judged(number, message, candidate, logits[number][_get_kind(candidate.fact.type)], is_right)


def _get_kind(fact_type: str) -> str:
    return FACT_TYPES[fact_type].heard_as


def _fit_values(judged: Sequence[Judged]) -> ValueModel:
    """Logistic regression over the buckets that occur."""
    rows = [hash_features(each.message, each.candidate) for each in judged]
    used = sorted({bucket for row in rows for bucket in row})
    column = {bucket: place for place, bucket in enumerate(used)}
    inputs = np.zeros((len(judged), len(used) + 2))
    for number, (row, each) in enumerate(zip(rows, judged, strict=True)):
        for bucket in row:
            inputs[number, column[bucket]] += 1
        inputs[number, -2:] = each.kind_logit, 1
    wanted = np.array([each.is_right for each in judged], dtype=np.float64)
    weights = _fit_logistic(inputs, wanted, np.array([PULL_OF_WORDS] * len(used) + [0.01, 0.01]))
    spread = np.zeros(BUCKETS, dtype=np.float32)
    spread[used] = weights[:-2]
    return ValueModel(spread, float(weights[-2]), float(weights[-1]))


def _fit_logistic(inputs: Numbers, wanted: Numbers, pull: Numbers) -> Numbers:
    """The weights of least cross-entropy plus `pull` times their squares, by gradient descent with momentum."""
    weights: Numbers = np.zeros(inputs.shape[1])
    velocity = np.zeros_like(weights)
    curvature = 0.25 * (inputs**2).sum(axis=0) + pull + 1.0
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (odds - wanted) + pull * weights
        velocity = 0.9 * velocity - 0.1 * gradient / curvature
        weights = weights + velocity
    return weights


def _choose_thresholds(kind: str, judged: Sequence[Judged], scores: Array) -> Thresholds:
    """By what is right among the held-back candidates of a kind: heard by patterns, and read alone."""
    own = [
        (score, each) for score, each in zip(scores, judged, strict=True) if _get_kind(each.candidate.fact.type) == kind
    ]
    read = [(float(score), each.is_right) for score, each in own]
    right = [float(score) for score, each in own if each.candidate.is_heard and each.is_right]
    refuse = find_refuse(right, MAX_LOST.get(kind, MAX_LOST_OF_OTHERS), MIN_CANDIDATES)
    return Thresholds(find_accept(read, MIN_PRECISION, MIN_CANDIDATES), refuse)


def find_accept(values: Sequence[tuple[float, bool]], precision: float, least: int) -> float:
    """The lowest score from which on the wanted share of the values is right, of `least` or more; else `NEVER`."""
    accept, right = NEVER, 0
    for count, (score, is_right) in enumerate(sorted(values, reverse=True), 1):
        right += is_right
        if count >= least and right / count >= precision:
            accept = score
    return accept


def find_refuse(right: Sequence[float], share: float, least: int) -> float:
    """The score below which no more than that share of the right values is; none is refused of fewer than `least`."""
    return sorted(right)[int(share * len(right))] - 0.01 if len(right) >= least else -NEVER
