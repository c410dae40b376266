"""Whether a value is meant: what a tagger makes of its words, of those beside them and of the rest of the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from factcheck.instant.core.guards import OTHER_SUBJECT, QUESTION, UNCERTAINTY
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.tagged_words import TaggedWords
from factcheck.instant.core.value_choice import Candidate

GUARD_GROUPS = (
    frozenset({QUESTION}),
    frozenset({OTHER_SUBJECT}),
    frozenset({"past"}),
    frozenset({"negation", "exception"}),
    frozenset({"condition", UNCERTAINTY}),
    frozenset({"play", "quote", "joke", "scene"}),
)
"""Kinds of guards that count alike: a question mark says less against a value than another subject does."""
FEATURES = 29 + len(GUARD_GROUPS)
_MAX_LOGIT, _MAX_ABOUT = 10.0, 8.0
_NOTHING = -8.0
"""The log-odds of words that are not there."""
_MAX_PLACE, _MAX_COUNT = 3, 4
_JOINTS = " -'’"


@dataclass(frozen=True, slots=True)
class WordChoice:
    """For each kind the weights of `list_features`."""

    weights: Mapping[str, Array]

    def score(self, candidate: Candidate, text: str, tagged: TaggedWords, column: int, kind: str) -> float:
        """The log-odds that a candidate is a fact."""
        return float(list_features(candidate, text, tagged, column) @ self.weights[kind])


def list_features(candidate: Candidate, text: str, tagged: TaggedWords, column: int) -> Array:
    """Shape (FEATURES,): about 1 or less each. `text` is the folded message, `column` that of the candidate's kind."""
    start, end = candidate.span
    logits = tagged.logits
    own = [number for number, word in enumerate(tagged.words) if word.start < end and word.end > start]
    said = np.clip(logits[own, column], -_MAX_LOGIT, _MAX_LOGIT) if own else np.array([_NOTHING])
    best, mean, least = float(said.max()), float(said.mean()), float(said.min())
    others = np.clip(np.delete(logits[:, column], own), -_MAX_LOGIT, _MAX_LOGIT)
    rest = float(others.max()) if len(others) else _NOTHING
    other_kinds = np.clip(np.delete(logits[own], column, axis=1), -_MAX_LOGIT, _MAX_LOGIT)
    other = float(other_kinds.max()) if own else _NOTHING
    edge = float(np.clip(_find_edge(own, text, tagged, column), _NOTHING, -_NOTHING))
    about = float(np.clip(tagged.about[column], -_MAX_ABOUT, _MAX_ABOUT))
    heard, guarded, found = float(candidate.is_heard), float(candidate.is_guarded), float(candidate.is_found)
    return np.array([
        1.0, heard, best / 2, mean / 2, least / 2, rest / 4, (best - rest) / 4, other / 4, float(best > 0),
        heard * best / 2, min(candidate.count, _MAX_COUNT) / 2, min(candidate.place, _MAX_PLACE) / 2,
        about / 2, edge / 4, float(edge > 0 and not heard), heard * about / 2,
        guarded, guarded * best / 2, guarded * about / 2, found, found * best / 2, found * len(own) / 2,
        found * guarded, found * guarded * best / 2, heard * edge / 4, heard * float(edge > 0),
        float(candidate.fact.answers_previous), heard * guarded, heard * float(OTHER_SUBJECT in candidate.guards),
        *(float(not group.isdisjoint(candidate.guards)) for group in GUARD_GROUPS),
    ], dtype=np.float32)  # fmt: skip


def _find_edge(own: list[int], text: str, tagged: TaggedWords, column: int) -> float:
    """The likelier of the two words beside the value: "vegetables" is part of "root vegetables"."""
    words, found = tagged.words, _NOTHING
    for inner, outer in ((own[0], own[0] - 1), (own[-1], own[-1] + 1)) if own else ():
        if 0 <= outer < len(words):
            first, second = sorted((inner, outer))
            if not text[words[first].end : words[second].start].strip(_JOINTS):
                found = max(found, float(tagged.logits[outer, column]))
    return found
