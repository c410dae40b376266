"""Which cosines mean anything: those that stand out from the partition's own, since every model has them elsewhere.

Measured with multilingual-e5-small: questions and passages that have nothing to do with each other score 0.70 at the
median in one corpus and 0.83 in another, and what answers a question scores 0.80 in the first. Above the median, in
robust deviations of the partition, what answers lies at 1.8 and more (1st percentile of what is found at all), the best
passage for a question that the corpus answers at 3.1 and more (5th), for one about something else at 2.7 (median).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

MAD_TO_DEVIATION = 1.4826
"""The median absolute deviation of a normal distribution, times this, is its standard deviation."""
MIN_SAMPLE = 30
"""Of fewer passages the median may itself be an answer."""
SPELLING_FLOOR = 0.2
"""For an embedder that compares spelling most cosines are nearly 0, so that nothing can be measured by their spread."""


@dataclass(frozen=True, slots=True)
class Background:
    """What the passages of a partition score with a query: their number, their median, their median absolute
    deviation."""

    size: int
    median: float
    mad: float

    def to_cosine(self, deviations: float) -> float:
        """The cosine so many robust deviations above the median."""
        return self.median + deviations * MAD_TO_DEVIATION * self.mad


def find_vector_floor(
    cosines: Iterable[float], background: Background | None, *, floor: float, peak: float, is_semantic: bool
) -> float:
    """The cosine from which a passage counts as found by its vector alone; infinite where even the best of `cosines`
    does not stand out by `peak` deviations, -1 where the partition is too small to tell or `floor` is 0.

    Example: median 0.75, MAD 0.02, floor 1.5, peak 2.75: a best cosine of 0.82 is too little (0.8315 is needed), with
    one of 0.86 all from 0.7945 on count.
    """
    if floor <= 0:
        return -1.0
    if not is_semantic:
        return SPELLING_FLOOR
    if background is None or background.size < MIN_SAMPLE or background.mad <= 0:
        return -1.0
    if max(cosines, default=-1.0) < background.to_cosine(peak):
        return math.inf
    return background.to_cosine(floor)
