"""Which of the values in a sentence its statement is about: "peanuts kill me, almonds are ok", "like a tomato".

A linear model over the words around a value, the value's place among the others, and how likely the statement is.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.value_lists import split_tokens
from knowledge.facts.core.types import FACT_TYPES

BUCKETS = 4096
"""Features share this many weights by the hash of their names."""
_NEAR_WORDS = 3
_FAR_WORDS = 6
_WORD_START_LENGTH = 5
"""Letters of a word that count: endings are forms, in the languages that are heard."""
_MAX_PLACE = 3
_MAX_COUNT = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that may be stated: what the fact would be, and where it stands."""

    fact: ExtractedFact
    span: Span
    """Of the value in the folded text."""
    sentence: Span
    place: int = 0
    """Among the values of its kind in its sentence."""
    count: int = 1
    is_heard: bool = False
    """Whether a pattern heard it as well."""
    guards: frozenset[str] = frozenset()
    """The kinds of guards that speak against it: words weigh them, and vectors believe it only where it is heard."""
    is_found: bool = False
    """Whether no reader knows the value: fitted layers found its words."""

    @property
    def is_guarded(self) -> bool:
        """Whether a guard speaks against it."""
        return bool(self.guards)

    @property
    def source(self) -> str:
        """`heard` by a pattern, `found` by fitted layers alone; by a reader: `guarded` or `read`."""
        if self.is_heard:
            return "heard"
        if self.is_found:
            return "found"
        return "guarded" if self.is_guarded else "read"


@dataclass(frozen=True, slots=True)
class ValueModel:
    """Weights of hashed features."""

    weights: Array
    """Shape (BUCKETS,)."""
    kind_weight: float
    """Of the log-odds that the text states the kind."""
    bias: float

    def score(self, message: FoldedMessage, candidate: Candidate, kind_logit: float) -> float:
        """The log-odds that the candidate is a fact."""
        found = sum(float(self.weights[bucket]) for bucket in hash_features(message, candidate))
        return found + self.kind_weight * kind_logit + self.bias


def hash_features(message: FoldedMessage, candidate: Candidate) -> list[int]:
    """The buckets of a candidate's features; a bucket may come twice."""
    return [zlib.crc32(name.encode()) % BUCKETS for name in _list_features(message, candidate)]


def _list_features(message: FoldedMessage, candidate: Candidate) -> Iterator[str]:
    start, end = candidate.span
    before = _read_words(message, candidate.sentence[0], start)
    after = _read_words(message, end, candidate.sentence[1])
    kind = FACT_TYPES[candidate.fact.type].heard_as
    yield f"kind {kind}"
    yield f"place {min(candidate.place, _MAX_PLACE)}"
    yield f"count {min(candidate.count, _MAX_COUNT)}"
    yield f"opens {not before}"
    yield f"depth {min(len(before) // 4, 4)}"
    yield f"key {kind} {candidate.fact.key}"
    near = [*["^"] * _NEAR_WORDS, *before][-_NEAR_WORDS:]
    behind = [*after, *["$"] * _NEAR_WORDS][:_NEAR_WORDS]
    yield f"before {near[-1]}"
    yield f"before {kind} {near[-1]}"
    yield f"second before {near[-2]}"
    yield f"both before {near[-2]} {near[-1]}"
    yield f"after {behind[0]}"
    yield f"after {kind} {behind[0]}"
    yield f"second after {behind[1]}"
    yield f"both after {behind[0]} {behind[1]}"
    for word in before[:-_NEAR_WORDS][-_FAR_WORDS:]:
        yield f"far before {word}"
    for word in after[_NEAR_WORDS:][:_FAR_WORDS]:
        yield f"far after {word}"


def _read_words(message: FoldedMessage, start: int, end: int) -> Sequence[str]:
    return [word[:_WORD_START_LENGTH] for word, _, _ in split_tokens(message.text, start, max(start, end))]
