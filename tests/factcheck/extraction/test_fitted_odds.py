"""The figures that a fit of the tagger prints for the odds of the offline proposer."""

import numpy as np
import pytest

from factcheck.extraction.proposers.offline.fitted_odds import describe_odds
from factcheck.instant.core.hearing_fit import KINDS
from factcheck.instant.core.hearing_model import Thresholds
from factcheck.instant.core.word_choice import WordChoice
from factcheck.instant.tagger_fit.choice import FittedChoice, Weighed

ACCEPT, REFUSE = 2.0, -1.0


def describe(*values):
    """The rows for allergies of (source, score, about, is_right)."""
    weighed = [
        Weighed(KINDS.index("allergy"), source, is_right, np.zeros(1, np.float32), about, 0)
        for source, _, about, is_right in values
    ]
    scores = np.array([score for _, score, _, _ in values], np.float32)
    thresholds = dict.fromkeys(KINDS, Thresholds(ACCEPT, REFUSE))
    rows = describe_odds(FittedChoice(WordChoice({}), thresholds, weighed, scores))
    return dict(row.removeprefix("odds: ").split(": ") for row in rows)


def test_what_is_believed_counts_by_how_far_it_lies_above_the_limit():
    figures = describe(
        ("read", 3.0, 0.5, True), ("read", 4.0, 1.0, False), ("found", 2.5, 5.0, True), ("read", 5.0, -0.5, True)
    )  # fmt: skip
    assert figures["MEANING_BY_WORDS"] == "1 of 2 right, 0.50"
    assert figures["WEAK_MEANING_BY_WORDS"] == "2 of 2 right, 1.00"
    assert figures["BY_FINDER meaning"] == "1 of 1 right, 1.00"


def test_what_patterns_heard_counts_where_words_refuse_it():
    figures = describe(("heard", -2.0, 1.0, True), ("heard", -0.5, 1.0, True), ("heard", -3.0, 1.0, False))
    assert figures["REFUSED_BY_WORDS allergy"] == "1 of 2 right, 0.50"
    assert figures["REFUSED_BY_WORDS hard_ban"] == "0 of 0 right, 0.00"


def test_the_rest_has_odds_that_rise_with_its_scores():
    random = np.random.default_rng(0)
    scores = random.uniform(-4, ACCEPT, 4000)
    rights = random.uniform(size=4000) < 1 / (1 + np.exp(-(0.8 * scores - 0.4)))
    figures = describe(*(("read", score, 0.0, bool(right)) for score, right in zip(scores, rights, strict=True)))
    slope, offset = map(float, figures["SLOPES_BY_WORDS allergy"].strip("()").split(", "))
    assert slope == pytest.approx(0.8, abs=0.1)
    assert offset == pytest.approx(-0.4, abs=0.1)
