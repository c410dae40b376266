"""When a breaker opens and closes. Pure rules over counts; every decision names its rule and its figures.

Source: design notes B2, B-R4 and B-R5. A raw rate over 5 % would pause half of the healthy years; the bound pauses 3 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from factcheck.extraction.core.statistics import Z_ONE_SIDED_95, Z_TWO_SIDED_95, Interval, wilson_bounds

WINDOW = 100
"""The newest reviews that are looked at."""
MAX_ERROR_RATE = 0.05
REVIEW_RULES = ((20, Z_ONE_SIDED_95), (10, Z_TWO_SIDED_95))
"""(fewest reviews, z): either opens. The second sees a disaster after ten."""
TRIALS = 50
MAX_TRIAL_ERRORS = 2
"""Passes 92 % at a true 2 %, 23 % at 8 %, 1.4 % at 15 %."""
MIN_DENIAL_SAMPLE = 30
ALERT_DENIAL_RATE = 0.01
MAX_DENIAL_RATE = 0.03


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule makes of counts: whether it trips, and on what. The interval is at the rule's own z."""

    n: int
    errors: int
    bounds: Interval
    rule: str
    trips: bool

    @property
    def rate(self) -> float:
        """Share of errors."""
        return self.errors / self.n if self.n else 0.0


def judge_reviews(outcomes: Sequence[bool]) -> Finding:
    """Whether reviews, oldest first, say that more than one in twenty is wrong. True is an error.

    Worked example: 4 errors of 20 have a lower bound of 9.1 % at z 1.645, so it trips; 2 of 20 have 3.4 %, so not.
    """
    recent = outcomes[-WINDOW:]
    return judge_counts(sum(recent), len(recent))


def judge_counts(errors: int, n: int, *, rules: Sequence[tuple[int, float]] = REVIEW_RULES) -> Finding:
    """As `judge_reviews`, of counts within the window."""
    for least, z in rules:
        bounds = wilson_bounds(errors, n, z=z)
        if n >= least and bounds.lower > MAX_ERROR_RATE:
            return Finding(n, errors, bounds, f"wilson lower bound > 5 %, z {z:.3f}, n >= {least}", trips=True)
    return Finding(n, errors, wilson_bounds(errors, n, z=rules[0][1]), "wilson lower bound > 5 %", trips=False)


def judge_denials(denied: int, facts: int) -> Finding:
    """Whether players deny more than 3 % of what was written. Below 30 facts nothing is said."""
    bounds = wilson_bounds(min(denied, facts), facts, z=Z_ONE_SIDED_95)
    trips = facts >= MIN_DENIAL_SAMPLE and bounds.lower > MAX_DENIAL_RATE
    return Finding(
        facts, min(denied, facts), bounds, "denials: wilson lower bound > 3 %, z 1.645, n >= 30", trips=trips
    )


def is_alarming(finding: Finding) -> bool:
    """Whether denials are worth an alert though not a stop: by the bound, more than 1 %."""
    return finding.n >= MIN_DENIAL_SAMPLE and finding.bounds.lower > ALERT_DENIAL_RATE


@dataclass(frozen=True, slots=True)
class TrialFinding:
    """How a trial stands: `is_over` with `passed`, or still going."""

    n: int
    errors: int
    is_over: bool
    passed: bool


def judge_trials(outcomes: Sequence[bool]) -> TrialFinding:
    """A half-open breaker's trial, oldest first: it fails at the third error, passes at 50 reviews with two at most."""
    errors = 0
    for count, is_error in enumerate(outcomes[:TRIALS], start=1):
        errors += is_error
        if errors > MAX_TRIAL_ERRORS:
            return TrialFinding(count, errors, is_over=True, passed=False)
    n = min(len(outcomes), TRIALS)
    return TrialFinding(n, errors, is_over=n == TRIALS, passed=n == TRIALS)
