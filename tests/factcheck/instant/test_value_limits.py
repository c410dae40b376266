"""From which odds on values are believed, by what labelled lines say of their kind and source."""

from __future__ import annotations

import numpy as np

from factcheck.instant.core.hearing_fit import KINDS, NEVER
from factcheck.instant.tagger_fit.choice import MIN_CANDIDATES, Weighed, choose_thresholds
from knowledge.facts.core.instructions import INSTRUCTION
from knowledge.facts.core.types import LIFE_EVENT


def weigh(kind, source, rights):
    """Values of one kind and source, the surest first."""
    return [
        (
            float(len(rights) - place),
            Weighed(KINDS.index(kind), source, is_right, np.zeros(1, dtype=np.float32), 0.0, 0),
        )
        for place, is_right in enumerate(rights)
    ]


def find_limits(*groups):
    pairs = [pair for group in groups for pair in group]
    scores = np.array([score for score, _ in pairs], dtype=np.float32)
    return choose_thresholds([each for _, each in pairs], scores)


def test_values_are_believed_down_to_where_too_few_are_right():
    right = [True] * 22 + [False] * 3
    limits = find_limits(weigh(LIFE_EVENT, "read", [*right, *[False] * 20]))[LIFE_EVENT]
    assert limits.accept == 21.0  # of 25 values from here on 22 are right, which is just enough


def test_one_limit_serves_values_however_they_were_found():
    half = [True] * (MIN_CANDIDATES // 2)
    sources = [weigh(INSTRUCTION, source, half) for source in ("read", "found")]
    assert find_limits(*sources)[INSTRUCTION].accept == 1.0
    assert find_limits(sources[0])[INSTRUCTION].accept == NEVER


def test_a_kind_with_many_wrong_values_is_believed_by_none_whatever_others_are_worth():
    limits = find_limits(
        weigh(LIFE_EVENT, "read", [True] * 200), weigh(INSTRUCTION, "read", [False, True] * MIN_CANDIDATES)
    )
    assert limits[INSTRUCTION].accept == NEVER


def test_no_value_is_believed_at_less_than_even_odds_unless_a_pattern_heard_it():
    low = [(score - 30.0, each) for score, each in weigh(LIFE_EVENT, "read", [True] * 20)]
    heard = [(score - 30.0, each) for score, each in weigh(LIFE_EVENT, "heard", [True] * 20)]

    limits = find_limits(low, heard)[LIFE_EVENT]

    assert limits.accept == 0.0
    assert limits.refuse < 0.0
