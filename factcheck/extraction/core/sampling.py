"""Which proposals people are shown, at which odds, and why. Counts decide, not bare percentages.

Source: design notes B-R1 to B-R3. A percentage of little is nothing: 1 % of 50 proposals a month proves no claim. So
the rate is what gives enough reviews in 14 days to decide something, and a policy is only its floor.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from factcheck.extraction.core.deltas import Operation
from factcheck.extraction.core.statistics import Rate, count_reviews_needed
from knowledge.facts.core.types import PROTECTED_TYPES

WINDOW_DAYS = 14
POLICY = 0.01
LOW_POLICY = 0.001
MAX_GOOD_RATE = 0.02
"""What the upper bound must show before fewer are reviewed."""
MAX_STRATUM_RATE = 0.05
MIN_STRATUM_SAMPLE = 20
MAX_CORRECTION_RATE = 0.03
MAX_COUNTED_ERRORS = 5
"""More errors than these put the low rate out of reach; 523 reviews then find out by how much."""
FLOOR_A_DAY = 3
REJECTED_FLOOR_A_DAY = 1
REJECTED_SHARE = 0.1
"""Reviews of what the gate refused, to those of what it let pass: they show what it costs, not whether to stop."""
RUN_SHARE = 1 / 19
"""Whole runs to other reviews, so that one in twenty asks what is missing."""
MAX_RISKS_A_DAY = 3
"""Of a stratum: a look beside the sample, not a second one."""
UNSURE_BELOW = 0.85

_DRAW_BYTES = 8
_DRAWS = 2.0 ** (8 * _DRAW_BYTES)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Items that are alike enough to have one error rate. What the gate refused is apart."""

    language: str
    operation: str
    prompt_version: str
    is_rejected: bool = False

    @property
    def name(self) -> str:
        """As it is stored."""
        operation = f"rejected {self.operation}" if self.is_rejected else self.operation
        return f"{self.language or 'other'} · {operation} · {self.prompt_version or '–'}"

    @property
    def floor(self) -> int:
        """The first of a day that are taken whatever the rate."""
        return REJECTED_FLOOR_A_DAY if self.is_rejected else FLOOR_A_DAY


def make_draw(index_key: bytes, kind: str, id_: int) -> float:
    """A number in 0…1 that an item keeps: keyed, so that nobody can tell what will be looked at, and reproducible."""
    digest = hmac.digest(index_key, f"extraction-sample\x00{kind}\x00{id_}".encode(), hashlib.sha256)
    return int.from_bytes(digest[:_DRAW_BYTES], "big") / _DRAWS


@dataclass(frozen=True, slots=True)
class Chosen:
    """Why an item is shown, as of `SampleReason`, and the odds by which it was drawn."""

    reason: str
    probability: float


def choose(draw: float, rate: float, *, floor_left: int) -> Chosen | None:
    """Whether an item is drawn.

    The first of a day in a stratum are taken for certain, by their place and not by what they say: their odds are 1,
    and they stand for themselves alone. All after them are taken at the rate, and stand for 1/rate items each.
    """
    if rate >= 1:
        return Chosen("all", 1.0)
    if floor_left > 0:
        return Chosen("floor", 1.0)
    return Chosen("random", rate) if draw < rate else None


def is_risky(*, operation: str, type_: str, confidence: float) -> bool:
    """Whether what the gate let pass is worth a look beside the sample: it ends something, protects, or is unsure."""
    return operation == Operation.REMOVE or type_ in PROTECTED_TYPES or confidence < UNSURE_BELOW


@dataclass(frozen=True, slots=True)
class Volumes:
    """What came up in the last 14 days: proposals that passed the gate and that did not, and runs."""

    accepted: int
    rejected: int
    runs: int


@dataclass(frozen=True, slots=True)
class Rates:
    """The odds of a draw."""

    accepted: float
    rejected: float
    run: float


def clamp_rate(rate: float) -> float:
    """Within 0.1 % and 100 %."""
    return min(1.0, max(LOW_POLICY, rate))


@lru_cache(maxsize=MAX_COUNTED_ERRORS + 1)
def _count_needed(errors: int) -> int:
    return count_reviews_needed(errors, MAX_GOOD_RATE)


def count_needed(errors: int) -> int:
    """Reviews that 14 days must bring to tell whether at most 2 % are wrong, with as many errors as there are now."""
    return _count_needed(min(errors, MAX_COUNTED_ERRORS))


def set_rates(policy: float, needed: int, volumes: Volumes) -> Rates:
    """The odds that bring `needed` reviews in 14 days, and never less than the policy."""
    return Rates(
        accepted=_rate(policy, needed, volumes.accepted),
        rejected=_rate(policy, needed * REJECTED_SHARE, volumes.rejected),
        run=_rate(0.0, needed * (1 + REJECTED_SHARE) * RUN_SHARE, volumes.runs),
    )


def _rate(policy: float, needed: float, volume: int) -> float:
    return clamp_rate(max(policy, needed / volume)) if volume else 1.0


@dataclass(frozen=True, slots=True)
class Standing:
    """What the last 14 days say of a tenant's extraction. `reviewed` is weighted and corrected for reviewers.

    `new` names what changed within them: a model, a prompt, the patterns, the gate; `strata` are (errors, n).
    """

    reviewed: Rate
    strata: Mapping[str, tuple[int, int]]
    days: float
    new: Sequence[str] = ()
    was_paused: bool = False
    correction_rate: float | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """The share that is reviewed at least, and why."""

    share: float
    why: str


def decide_policy(standing: Standing) -> Policy:
    """1 % unless 14 quiet days prove that at most 2 % are wrong; then 0.1 %."""
    reviewed = standing.reviewed
    bad = [
        name
        for name, (errors, n) in sorted(standing.strata.items())
        if n >= MIN_STRATUM_SAMPLE and errors / n > MAX_STRATUM_RATE
    ]
    if standing.new:
        return Policy(POLICY, f"1 %: new within {WINDOW_DAYS} days: {', '.join(standing.new)}")
    if standing.was_paused:
        return Policy(POLICY, f"1 %: a breaker was open within {WINDOW_DAYS} days")
    if standing.correction_rate is not None and standing.correction_rate > MAX_CORRECTION_RATE:
        return Policy(POLICY, f"1 %: players correct {standing.correction_rate:.1%} of what was written")
    if standing.days < WINDOW_DAYS:
        return Policy(POLICY, f"1 %: extraction has run for {int(standing.days)} of {WINDOW_DAYS} days")
    if bad:
        return Policy(POLICY, f"1 %: more than 5 % wrong in {bad[0]}")
    if reviewed.ceiling > MAX_GOOD_RATE:
        return Policy(
            POLICY,
            f"1 %: of {reviewed.n} reviewed {reviewed.errors} were wrong, so up to {reviewed.ceiling:.1%} may be; "
            f"0.1 % takes a proof of 2 %",
        )
    return Policy(
        LOW_POLICY,
        f"0.1 %: of {reviewed.n} reviewed in {WINDOW_DAYS} days {reviewed.errors} were wrong, so at most "
        f"{reviewed.ceiling:.1%} are (95 %)",
    )


def describe_rates(policy: Policy, needed: int, volumes: Volumes, rates: Rates) -> str:
    """Why the odds are what they are, for people."""
    if not volumes.accepted:
        return (
            f"100 %: nothing passed the gate in {WINDOW_DAYS} days, so all that comes is reviewed. Policy {policy.why}"
        )
    told = f"{volumes.accepted} proposals passed the gate in {WINDOW_DAYS} days"
    if rates.accepted >= 1:
        return f"100 %: {told}, and {needed} reviews decide, so all are reviewed. Policy {policy.why}"
    if rates.accepted > policy.share:
        return f"{rates.accepted:.2%}: {told}, and {needed} reviews decide. Policy {policy.why}"
    return f"{rates.accepted:.2%}: the policy, {told}. Policy {policy.why}"
