"""How often proposals are wrong, by language and by week; what was missed; parity; trust in confidence."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factcheck.extraction.core.statistics import (
    MIN_BUCKET_SAMPLE,
    MIN_PARITY_SAMPLE,
    Outcome,
    Parity,
    ParityState,
    Rate,
    ReviewerQuality,
    compare_languages,
    correct_for_reviewers,
    estimate_rate,
)
from factcheck.extraction.models import SampleKind
from reviews.labelling.core.verdicts import LabelVerdict
from reviews.quality.core.charts import Chart, Point, chart_intervals, chart_trend
from reviews.quality.core.tables import Column, ColumnKind, Table
from reviews.quality.selectors.labels import ESTIMATED, LabelledItem, find_buckets

ALL = "all"
LIMITS = (0.02, 0.05)
"""What the low rate of reviews must be below, and what opens the breaker."""
NOTHING_LABELLED = "Nothing is labelled yet. Open Label extractions and label what was drawn."
_RATE_COLUMNS = (
    Column("reviewed", "Reviewed", ColumnKind.COUNT),
    Column("wrong", "Wrong", ColumnKind.COUNT),
    Column("error_rate", "Error rate", ColumnKind.SHARE),
    Column("lower", "From", ColumnKind.SHARE),
    Column("upper", "To", ColumnKind.SHARE),
)
_PARITY_WORDS = {
    ParityState.NOT_ENOUGH_DATA: f"not enough data: fewer than {MIN_PARITY_SAMPLE} of one",
    ParityState.NO_DIFFERENCE_FOUND: "no difference found",
    ParityState.DIFFERENT: "different",
}


def estimate_rates(items: Sequence[LabelledItem], quality: ReviewerQuality) -> dict[str, Rate]:
    """Language to the error rate of what passed the gate; `all` comes first. Only languages that have labels."""
    by_language: dict[str, list[LabelledItem]] = {ALL: []}
    for item in items:
        if item.is_estimated:
            by_language[ALL].append(item)
            by_language.setdefault(item.language or "other", []).append(item)
    return {language: _estimate(found, quality) for language, found in by_language.items() if found}


def build_error_rates(items: Sequence[LabelledItem], quality: ReviewerQuality) -> tuple[Table, Chart | None]:
    """The error rate of what passed the gate, by language: weighted by the odds, corrected for reviewers."""
    rates = estimate_rates(items, quality)
    columns = (
        Column("language", "Language", ColumnKind.WORD),
        *_RATE_COLUMNS,
        Column("ceiling", "At most (95 %)", ColumnKind.SHARE),
    )
    table = Table(
        "error_rate",
        "Error rate",
        "Of what passed the gate, with its interval of 95 %. Each item stands for as many as its odds say.",
        NOTHING_LABELLED,
        columns,
        [(name, r.n, r.errors, r.rate, r.lower, r.upper, r.ceiling) for name, r in rates.items()],
        (_render_quality(quality),),
    )
    points = [Point(name, r.rate, r.lower, r.upper, _render_rate(name, r)) for name, r in rates.items()]
    return table, chart_intervals("error-rate", "Error rate by language", points, LIMITS) if points else None


def build_error_trend(items: Sequence[LabelledItem], quality: ReviewerQuality) -> tuple[Table, Chart | None]:
    """The error rate week by week, by the time of the label."""
    weeks: defaultdict[dt.date, list[LabelledItem]] = defaultdict(list)
    for item in items:
        if item.is_estimated:
            day = item.labelled_at.date()
            weeks[day - dt.timedelta(days=day.weekday())].append(item)
    rates = [(week, _estimate(weeks[week], quality)) for week in sorted(weeks)]
    columns = (Column("week", "Week of", ColumnKind.DAY), *_RATE_COLUMNS)
    table = Table(
        "error_trend",
        "Error rate by week",
        "By the week of the label. A wide band means few labels, not trouble.",
        NOTHING_LABELLED,
        columns,
        [(week, r.n, r.errors, r.rate, r.lower, r.upper) for week, r in rates],
    )
    points = [Point(f"{week:%d %b}", r.rate, r.lower, r.upper, _render_rate(f"{week}", r)) for week, r in rates]
    return table, chart_trend("error-trend", "Error rate by week", points, LIMITS) if len(points) > 1 else None


def build_missed(items: Sequence[LabelledItem]) -> Table:
    """What was not found: by whole runs that missed something, and by the gate, which refused what is right."""
    runs = [item for item in items if item.kind == SampleKind.RUN and item.verdict != LabelVerdict.CANNOT_TELL]
    refused = [
        item for item in items if item.kind == SampleKind.DELTA and not item.is_accepted and item.reason in ESTIMATED
    ]
    lines = [
        ("runs that missed something", [(item.verdict == LabelVerdict.MISSED, item) for item in runs]),
        ("refused by the gate though right", [(item.verdict == LabelVerdict.CORRECT, item) for item in refused]),
    ]
    rows = []
    for name, judged in lines:
        rate = estimate_rate(_as_outcomes(judged))
        if rate.n:
            rows.append((name, rate.n, rate.errors, rate.rate, rate.lower, rate.upper))
    return Table(
        "missed",
        "What was missed",
        "One review in twenty is a whole run; one in ten of the others is a refused proposal.",
        "No whole run is labelled yet. They come up among the others, one in twenty.",
        (
            Column("what", "What"),
            Column("reviewed", "Reviewed", ColumnKind.COUNT),
            Column("found", "Found", ColumnKind.COUNT),
            Column("share", "Share", ColumnKind.SHARE),
            Column("lower", "From", ColumnKind.SHARE),
            Column("upper", "To", ColumnKind.SHARE),
        ),
        rows,
    )


@dataclass(frozen=True, slots=True)
class LanguageParity:
    """A language against English: how many of how many were wrong, and what that says."""

    language: str
    reviewed: int
    wrong: int
    english_reviewed: int
    english_wrong: int
    parity: Parity


def compare_with_english(items: Sequence[LabelledItem]) -> list[LanguageParity]:
    """Each language against English, by Fisher's exact test."""
    counts: defaultdict[str, list[bool]] = defaultdict(list)
    for item in items:
        if item.is_estimated:
            counts[item.language or "other"].append(item.is_error)
    english = counts.pop("en", [])
    found = []
    for language in sorted(counts):
        mine = counts[language]
        parity = compare_languages((sum(mine), len(mine)), (sum(english), len(english)))
        found.append(LanguageParity(language, len(mine), sum(mine), len(english), sum(english), parity))
    return found


def build_parity(items: Sequence[LabelledItem]) -> Table:
    """Each language against English, as a table."""
    rows = [
        (each.language, each.reviewed, each.wrong, each.english_reviewed, each.english_wrong,
         each.parity.difference, each.parity.p_value, _PARITY_WORDS[each.parity.state])
        for each in compare_with_english(items)
    ]  # fmt: skip
    return Table(
        "parity",
        "Parity with English",
        "Whether a language is got wrong more often than English: Fisher's exact test at .05, 30 reviews of each.",
        "There are labels of one language at most. Parity needs 30 of each.",
        (
            Column("language", "Language", ColumnKind.WORD),
            Column("reviewed", "Reviewed", ColumnKind.COUNT),
            Column("wrong", "Wrong", ColumnKind.COUNT),
            Column("english_reviewed", "English reviewed", ColumnKind.COUNT),
            Column("english_wrong", "English wrong", ColumnKind.COUNT),
            Column("difference", "Difference", ColumnKind.SHARE),
            Column("p_value", "p", ColumnKind.NUMBER),
            Column("finding", "Finding"),
        ),
        rows,
    )


def build_reliability(items: Sequence[LabelledItem]) -> Table:
    """Whether a proposer is right as often as it says: by model and prompt and by how sure it was."""
    rows = []
    for version, buckets in find_buckets(list(items)).items():
        for bucket in buckets:
            bounds = bucket.bounds
            if bucket.n < MIN_BUCKET_SAMPLE:
                counted = f"yes: fewer than {MIN_BUCKET_SAMPLE} labels"
            else:
                counted = "yes" if bucket.is_trusted else "no: proven under 95 %"
            rows.append(
                (version, bucket.floor, bucket.n, bucket.right, bucket.share, bounds.lower, bounds.upper, counted)
            )
    return Table(
        "reliability",
        "Reliability of confidence",
        "What is proven right less than 95 % of the time counts nothing: the gate refuses it. Bounds are of 95 % each.",
        NOTHING_LABELLED,
        (
            Column("version", "Model and prompt"),
            Column("confidence_from", "Confidence from", ColumnKind.NUMBER),
            Column("reviewed", "Reviewed", ColumnKind.COUNT),
            Column("right", "Right", ColumnKind.COUNT),
            Column("share_right", "Share right", ColumnKind.SHARE),
            Column("lower", "From", ColumnKind.SHARE),
            Column("upper", "To", ColumnKind.SHARE),
            Column("counts", "Counts"),
        ),
        rows,
    )


def _estimate(items: Iterable[LabelledItem], quality: ReviewerQuality) -> Rate:
    return correct_for_reviewers(estimate_rate(item.outcome for item in items), quality)


def _as_outcomes(judged: Iterable[tuple[bool, LabelledItem]]) -> list[Outcome]:
    return [Outcome(is_found, item.probability, item.trust) for is_found, item in judged]


def _render_rate(name: str, rate: Rate) -> str:
    return f"{name}: {rate.rate:.1%} wrong, {rate.lower:.1%} to {rate.upper:.1%}, {rate.errors} of {rate.n}"


def _render_quality(quality: ReviewerQuality) -> str:
    if not quality.n:
        return "No gold item is labelled yet, so the rates are as reviewers saw them."
    return (
        f"Gold items: {quality.planted_found} of {quality.planted} planted errors found, "
        f"{quality.right_passed} of {quality.right} right items passed. Rates are corrected from 20 of a kind on."
    )
