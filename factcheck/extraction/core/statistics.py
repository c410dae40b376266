"""Figures of labelled samples: rates with their intervals, agreement of reviewers, parity of languages.

Every rate comes with its n and an interval. Sources: Wilson 1927; Clopper and Pearson 1934; Korn and Graubard 1998
(weighted samples); Rogan and Gladen 1978; Gwet 2008. SciPy is loaded by what needs it: it takes a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

Z_ONE_SIDED_95 = 1.6449
"""One-sided 95 %, which is a two-sided interval of 90 %."""
Z_TWO_SIDED_95 = 1.96
MIN_PARITY_SAMPLE = 30
"""Reviews of each language below which nothing is said of parity."""
PARITY_LEVEL = 0.05
MIN_KNOWN_ITEMS = 20
"""Gold items of a kind below which reviewers are taken as perfect: fewer would correct by noise."""
MAX_COUNTED = 100_000


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a rate, each in 0…1."""

    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate with its interval of 95 %. `n` and `errors` are what was counted; `rate` may be weighted or corrected.

    `ceiling` is the one-sided upper bound of 95 %: "at most so much" is claimed by it alone.
    """

    n: int
    errors: int
    rate: float
    lower: float
    upper: float
    ceiling: float
    effective_n: float


NO_RATE = Rate(n=0, errors=0, rate=0.0, lower=0.0, upper=1.0, ceiling=1.0, effective_n=0.0)
"""Of nothing nothing is known: the interval is everything."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One labelled item: whether it was wrong, the odds by which it was drawn, and how far its reviewer is trusted."""

    is_error: bool
    probability: float = 1.0
    trust: float = 1.0


def wilson_bounds(errors: float, n: float, *, z: float = Z_TWO_SIDED_95) -> Interval:
    """Wilson's score interval; everything where n is 0. Both may be fractions: those of a weighted sample are."""
    if n <= 0:
        return Interval(0.0, 1.0)
    share, square = errors / n, z * z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * math.sqrt(max(0.0, share * (1 - share) / n + square / (4 * n * n)))
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def clopper_pearson_upper(errors: float, n: float, *, confidence: float = 0.95) -> float:
    """One-sided exact upper bound: the rate at which `errors` or fewer of n come up in 1 - confidence of the cases.

    >>> round(clopper_pearson_upper(0, 149), 3)
    0.02
    """
    from scipy.stats import beta

    if n <= 0 or errors >= n:
        return 1.0
    return float(beta.ppf(confidence, errors + 1, n - errors))


def clopper_pearson_lower(errors: float, n: float, *, confidence: float = 0.95) -> float:
    """One-sided exact lower bound."""
    return 1.0 - clopper_pearson_upper(n - errors, n, confidence=confidence) if n > 0 else 0.0


def count_reviews_needed(errors: int, target: float, *, confidence: float = 0.95) -> int:
    """The fewest reviews with that many errors whose upper bound is at most `target`: 149 for none and 2 %."""
    low, high = errors, MAX_COUNTED
    while high - low > 1:
        middle = (low + high) // 2
        if clopper_pearson_upper(errors, middle, confidence=confidence) <= target:
            high = middle
        else:
            low = middle
    return high


def estimate_rate(outcomes: Iterable[Outcome]) -> Rate:
    """The error rate of all items, from a sample drawn by unequal odds: each item stands for 1/p of them (Hájek).

    The interval is Clopper and Pearson's at the effective size: the smaller of Kish's (Σw)²/Σw² and that of the
    linearised variance, which sees errors that gather where weights are large. With equal odds it is the exact one.
    No finite-population correction: the rate is of the process, not of the items that happened to come up.
    """
    from scipy.stats import beta

    items = list(outcomes)
    if not items:
        return NO_RATE
    weights = [each.trust / each.probability for each in items]
    total = math.fsum(weights)
    share = math.fsum(w for w, each in zip(weights, items, strict=True) if each.is_error) / total
    size = total**2 / math.fsum(w * w for w in weights)
    spread = math.fsum((w * (each.is_error - share)) ** 2 for w, each in zip(weights, items, strict=True)) / total**2
    if spread > 0:
        size = min(size, share * (1 - share) / spread)
    found = share * size
    return Rate(
        n=len(items),
        errors=sum(each.is_error for each in items),
        rate=share,
        lower=float(beta.ppf(0.025, found, size - found + 1)) if found > 0 else 0.0,
        upper=float(beta.ppf(0.975, found + 1, size - found)) if found < size else 1.0,
        ceiling=clopper_pearson_upper(found, size),
        effective_n=size,
    )


@dataclass(frozen=True, slots=True)
class ReviewerQuality:
    """How reviewers do on items whose answer is known: planted errors found, and right items let pass."""

    planted: int
    planted_found: int
    right: int
    right_passed: int

    @property
    def n(self) -> int:
        """Known items that were labelled."""
        return self.planted + self.right

    @property
    def sensitivity(self) -> float:
        """Share of planted errors that were found; 1 below 20 of them."""
        return self.planted_found / self.planted if self.planted >= MIN_KNOWN_ITEMS else 1.0

    @property
    def specificity(self) -> float:
        """Share of right items that were passed; 1 below 20 of them."""
        return self.right_passed / self.right if self.right >= MIN_KNOWN_ITEMS else 1.0

    @property
    def sensitivity_bounds(self) -> Interval:
        """Its interval of 95 %; taken as perfect below 20."""
        return _bound_known(self.planted_found, self.planted)

    @property
    def specificity_bounds(self) -> Interval:
        """Its interval of 95 %; taken as perfect below 20."""
        return _bound_known(self.right_passed, self.right)


def _bound_known(found: int, n: int) -> Interval:
    return wilson_bounds(found, n) if n >= MIN_KNOWN_ITEMS else Interval(1.0, 1.0)


def correct_rate(rate: float, *, sensitivity: float, specificity: float) -> float:
    """The true rate behind an observed one (Rogan and Gladen), within 0…1.

    With a sensitivity of .80 and a specificity of .99 an observed 1.5 % is 0.6 %, and 3 % is 2.5 %. Reviewers no better
    than a coin tell nothing: then the observed rate stands.
    """
    power = sensitivity + specificity - 1
    if power <= 0:
        return rate
    return min(1.0, max(0.0, (rate + specificity - 1) / power))


def correct_for_reviewers(observed: Rate, quality: ReviewerQuality) -> Rate:
    """A rate and its bounds as they would be with reviewers who never err.

    Each bound takes the end of the reviewers' own interval that widens it: a few known items excuse no error.
    """
    if observed.n == 0 or max(quality.planted, quality.right) < MIN_KNOWN_ITEMS:
        return observed
    found, passed = quality.sensitivity_bounds, quality.specificity_bounds
    return Rate(
        n=observed.n,
        errors=observed.errors,
        rate=correct_rate(observed.rate, sensitivity=quality.sensitivity, specificity=quality.specificity),
        lower=correct_rate(observed.lower, sensitivity=found.upper, specificity=passed.lower),
        upper=correct_rate(observed.upper, sensitivity=found.lower, specificity=passed.upper),
        ceiling=correct_rate(observed.ceiling, sensitivity=found.lower, specificity=passed.upper),
        effective_n=observed.effective_n,
    )


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two reviewers on the same items: the 2×2 table, how often they agree, and Gwet's AC1.

    AC1 because errors are rare: at 90 items right for both, 2 wrong for both and 8 split, κ and α say .29.
    """

    both_right: int
    both_wrong: int
    split_first_wrong: int
    split_second_wrong: int

    @property
    def n(self) -> int:
        """Items that both labelled."""
        return self.both_right + self.both_wrong + self.split_first_wrong + self.split_second_wrong

    @property
    def raw(self) -> float | None:
        """Share of items with the same answer."""
        return (self.both_right + self.both_wrong) / self.n if self.n else None

    @property
    def ac1(self) -> float | None:
        """Gwet's AC1: agreement beyond what chance gives where most items are alike."""
        if self.raw is None:
            return None
        wrong = (2 * self.both_wrong + self.split_first_wrong + self.split_second_wrong) / (2 * self.n)
        chance = 2 * wrong * (1 - wrong)
        return (self.raw - chance) / (1 - chance)

    @property
    def kappa(self) -> float | None:
        """Cohen's κ, in small print; None where one answer is all there is."""
        if self.raw is None:
            return None
        first = (self.both_wrong + self.split_first_wrong) / self.n
        second = (self.both_wrong + self.split_second_wrong) / self.n
        chance = first * second + (1 - first) * (1 - second)
        return None if chance == 1 else (self.raw - chance) / (1 - chance)


def count_agreement(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """The table of pairs (the first found it wrong, the second did)."""
    counts = {(False, False): 0, (True, True): 0, (True, False): 0, (False, True): 0}
    for first, second in pairs:
        counts[first, second] += 1
    return Agreement(
        both_right=counts[False, False],
        both_wrong=counts[True, True],
        split_first_wrong=counts[True, False],
        split_second_wrong=counts[False, True],
    )


class ParityState(StrEnum):
    """What can be said of two languages."""

    NOT_ENOUGH_DATA = "not_enough_data"
    NO_DIFFERENCE_FOUND = "no_difference_found"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Parity:
    """Whether one language is got wrong more often than another. `p_value` is Fisher's exact one, of two sides."""

    state: ParityState
    p_value: float | None
    difference: float | None


def compare_languages(first: tuple[int, int], second: tuple[int, int]) -> Parity:
    """Parity of (errors, n) of two languages; "not enough data" below 30 of each, never "fine"."""
    (errors_1, n_1), (errors_2, n_2) = first, second
    if min(n_1, n_2) < MIN_PARITY_SAMPLE:
        return Parity(ParityState.NOT_ENOUGH_DATA, None, None)
    from scipy.stats import fisher_exact

    p_value = float(fisher_exact([[errors_1, n_1 - errors_1], [errors_2, n_2 - errors_2]])[1])
    state = ParityState.DIFFERENT if p_value < PARITY_LEVEL else ParityState.NO_DIFFERENCE_FOUND
    return Parity(state, p_value, errors_1 / n_1 - errors_2 / n_2)


@dataclass(frozen=True, slots=True)
class Bucket:
    """Items whose proposer was about as sure: how many were right."""

    floor: float
    n: int
    right: int

    @property
    def share(self) -> float:
        """Share that was right."""
        return self.right / self.n if self.n else 0.0

    @property
    def bounds(self) -> Interval:
        """Of the share that is right, at the rule's own z."""
        return wilson_bounds(self.right, self.n, z=Z_ONE_SIDED_95)

    @property
    def is_trusted(self) -> bool:
        """Whether the gate may believe it: not once 20 or more prove, by the upper bound, that under 95 % are right.

        Worked example: 18 of 20 have an upper bound of 96.6 %, so it stays; 17 of 20 have 93.8 %, so it is muted.
        """
        return self.n < MIN_BUCKET_SAMPLE or self.bounds.upper >= MIN_BUCKET_SHARE


MIN_BUCKET_SAMPLE = 20
MIN_BUCKET_SHARE = 0.95
"""A proposer that is this sure, and is proven right less often, is not believed."""
BUCKETS_OF_ONE = 20
"""Buckets are a twentieth wide, as the gate's are."""


def find_bucket(confidence: float) -> float:
    """The lower end of the bucket that a confidence lies in; 1 lies in the last, .95."""
    return min(math.floor(confidence * BUCKETS_OF_ONE + 1e-9), BUCKETS_OF_ONE - 1) / BUCKETS_OF_ONE


def bucket_reliability(items: Sequence[tuple[float, bool]]) -> list[Bucket]:
    """Buckets with something in them, lowest first, of (confidence, whether it was right)."""
    found: dict[float, list[bool]] = {}
    for confidence, is_right in items:
        found.setdefault(find_bucket(confidence), []).append(is_right)
    return [Bucket(floor, len(found[floor]), sum(found[floor])) for floor in sorted(found)]
