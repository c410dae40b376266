"""Scoring of golden queries: what was found against what must, should and must not be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memoryproject.lazy_modules import LazyModule

if TYPE_CHECKING:
    import ir_measures
else:
    ir_measures = LazyModule("ir_measures")

MUST_HIT_GRADE = 3
METRICS = ("ndcg", "recall", "rr", "must_hit")


@dataclass(frozen=True, slots=True)
class Expectation:
    """What one query is expected to find: slugs, best first nowhere; grades are 1 to 3."""

    key: str
    k: int
    must_hit: tuple[str, ...] = ()
    must_not_hit: tuple[str, ...] = ()
    relevant: Mapping[str, int] = field(default_factory=dict)

    def grades(self) -> dict[str, int]:
        """Slug to grade; a must-hit without a grade of its own has the highest."""
        return dict.fromkeys(self.must_hit, MUST_HIT_GRADE) | dict(self.relevant)

    def slugs(self) -> set[str]:
        """Slugs that the query counts on being found."""
        return {*self.must_hit, *self.relevant}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one query in one release."""

    found: tuple[str, ...]
    missed: tuple[str, ...]
    forbidden: tuple[str, ...]
    metrics: Mapping[str, float]


def judge(expectation: Expectation, ranked: Sequence[str]) -> Verdict:
    """The verdict on one ranking of slugs, of which the first k count (any, for what must not be found).

    A metric is left out when the query has nothing to measure it by.
    """
    unique = tuple(dict.fromkeys(ranked))
    found = unique[: expectation.k]
    missed = tuple(slug for slug in expectation.must_hit if slug not in found)
    forbidden = tuple(slug for slug in unique if slug in expectation.must_not_hit)
    metrics = _measure(expectation, found)
    if expectation.must_hit:
        metrics["must_hit"] = 1 - len(missed) / len(expectation.must_hit)
    return Verdict(found=found, missed=missed, forbidden=forbidden, metrics=metrics)


def _measure(expectation: Expectation, found: Sequence[str]) -> dict[str, float]:
    grades = expectation.grades()
    if not grades:
        return {}
    names = {
        ir_measures.nDCG @ expectation.k: "ndcg",
        ir_measures.R @ expectation.k: "recall",
        ir_measures.RR @ expectation.k: "rr",
    }
    judged = [ir_measures.Qrel("q", slug, grade) for slug, grade in grades.items()]
    run = [ir_measures.ScoredDoc("q", slug, float(len(found) - place)) for place, slug in enumerate(found)]
    return {
        names[each.measure]: round(float(each.value), 6) for each in ir_measures.iter_calc(list(names), judged, run)
    }


def average(metrics: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each metric over the queries that have it, rounded to six places."""
    values: dict[str, list[float]] = {}
    for each in metrics:
        for name, value in each.items():
            values.setdefault(name, []).append(value)
    return {name: round(sum(values[name]) / len(values[name]), 6) for name in METRICS if name in values}


def subtract(metrics: Mapping[str, float], baseline: Mapping[str, float]) -> dict[str, float]:
    """By how much each metric differs from the baseline's, where both have it."""
    return {name: round(metrics[name] - baseline[name], 6) for name in METRICS if name in metrics and name in baseline}
