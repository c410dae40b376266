"""When extraction stops: the rules, and a replay of years with a known error rate."""

from __future__ import annotations

from collections.abc import Callable

import numpy
import pytest
from scipy.stats import binom

from factcheck.extraction.core.breakers import (
    TRIALS,
    WINDOW,
    is_alarming,
    judge_counts,
    judge_denials,
    judge_reviews,
    judge_trials,
)

YEAR = 1460
"""Reviews: four a day."""
YEARS = 3000


def replay(rule: Callable[[int, int], bool], rate: float) -> tuple[float, float]:
    """The percentage of years in which the rule trips, and the median number of reviews until then."""
    trips = numpy.array([[rule(min(k, n), n) for k in range(WINDOW + 1)] for n in range(WINDOW + 1)])
    wrong = numpy.random.default_rng(13).random((YEARS, YEAR)) < rate
    errors = numpy.cumsum(wrong, axis=1, dtype=numpy.int32)
    errors[:, WINDOW:] -= errors[:, :-WINDOW].copy()
    tripped = trips[numpy.minimum(numpy.arange(1, YEAR + 1), WINDOW), errors]
    caught = tripped.any(axis=1)
    return 100 * caught.mean(), float(numpy.median(tripped.argmax(axis=1)[caught] + 1))


def bound_at(z: float, least: int) -> Callable[[int, int], bool]:
    return lambda errors, n: judge_counts(errors, n, rules=((least, z),)).trips


BOTH = {
    # A year's false pauses; at 3 % the source's 600 years gave 19, these 3,000 give 22.
    0.01: (0.7, None), 0.02: (3.0, None), 0.03: (21.5, None),
    # What is caught, and after how many reviews.
    0.05: (94, 279), 0.08: (100, 56), 0.15: (100, 11), 0.30: (100, 10),
}  # fmt: skip


@pytest.mark.parametrize("rate", BOTH)
def test_replay_of_the_rule_in_use(rate):
    share, median = BOTH[rate]
    trips, reviews = replay(lambda errors, n: judge_counts(errors, n).trips, rate)
    assert trips == pytest.approx(share, abs=2)
    assert median is None or reviews == pytest.approx(median, rel=0.05)


@pytest.mark.parametrize(
    ("rule", "false_pauses", "caught"),
    [
        (bound_at(1.6449, 20), 3, 93),
        (bound_at(1.96, 10), 3, 79),
        # Why no raw rate: it pauses most healthy years.
        (lambda errors, n: n >= 20 and errors / n > 0.05, 62, 100),
    ],
)
def test_replay_of_the_rules_apart_and_of_the_one_that_we_left(rule, false_pauses, caught):
    assert replay(rule, 0.02)[0] == pytest.approx(false_pauses, abs=3)
    assert replay(rule, 0.05)[0] == pytest.approx(caught, abs=3)


def test_a_finding_names_its_figures_and_its_rule():
    finding = judge_reviews([False] * 16 + [True] * 4)
    assert (finding.n, finding.errors, finding.trips) == (20, 4, True)
    assert finding.bounds.lower == pytest.approx(0.0931, abs=0.0001)
    assert finding.rule == "wilson lower bound > 5 %, z 1.645, n >= 20"
    assert not judge_reviews([False] * 18 + [True] * 2).trips


def test_too_few_reviews_open_nothing():
    assert not judge_reviews([True] * 9).trips
    assert judge_reviews([True] * 10).rule.endswith("n >= 10")


def test_reviews_out_of_the_window_are_past():
    assert not judge_reviews([True] * 50 + [False] * WINDOW).trips


def test_denials_are_judged_by_the_bound_from_thirty_facts_on():
    assert not judge_denials(29, 29).trips
    assert not judge_denials(2, 30).trips
    assert judge_denials(4, 30).trips
    assert not judge_denials(4, 100).trips, "4 % is seen, more than 3 % is not proven"
    assert judge_denials(8, 100).trips
    assert is_alarming(judge_denials(4, 100))
    assert not is_alarming(judge_denials(2, 100))
    assert judge_denials(40, 35).errors == 35


def test_a_trial_closes_at_fifty_with_two_errors_and_fails_at_the_third():
    clean = judge_trials([False] * 49)
    assert (clean.n, clean.is_over) == (49, False)
    passed = judge_trials([True, True] + [False] * 48)
    assert (passed.n, passed.errors, passed.passed) == (TRIALS, 2, True)
    failed = judge_trials([True, False, True, False, True] + [False] * 60)
    assert (failed.n, failed.errors, failed.is_over, failed.passed) == (5, 3, True, False)
    assert judge_trials([False] * 50 + [True] * 9).passed, "what comes after the fiftieth is no trial"


@pytest.mark.parametrize(("rate", "passes"), [(0.02, 0.92), (0.08, 0.23), (0.15, 0.014)])
def test_what_a_trial_lets_through(rate, passes):
    wrong = numpy.random.default_rng(7).random((4000, TRIALS)) < rate
    share = numpy.mean([judge_trials(list(row)).passed for row in wrong])
    assert binom.cdf(2, TRIALS, rate) == pytest.approx(passes, abs=0.005)
    assert share == pytest.approx(passes, abs=0.02)
