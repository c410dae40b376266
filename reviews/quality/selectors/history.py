"""What the breakers did, at which odds proposals were reviewed, and why."""

from __future__ import annotations

from factcheck.extraction.core.breakers import MIN_DENIAL_SAMPLE, Finding, is_alarming, judge_denials
from factcheck.extraction.core.statistics import Bucket
from factcheck.extraction.models import BreakerEvent, ConfidenceBucket, SamplingRate
from factcheck.extraction.selectors.breakers import (
    ALL_LANGUAGES,
    count_denials,
    list_denied_languages,
    name_breaker,
)
from reviews.quality.core.tables import Cell, Column, ColumnKind, Table

MAX_EVENTS = 100


def build_breaker_history(tenant_id: int) -> Table:
    """Every change of the tenant's breakers with its figures, newest first."""
    rows = BreakerEvent.objects.filter(tenant_id=tenant_id).order_by("-id")[:MAX_EVENTS]
    return Table(
        "breakers",
        "Breakers",
        "Each change with what it rests on. Open: nothing is read. Half open: all is reviewed, nothing written.",
        "No breaker has ever opened.",
        (
            Column("at", "When (UTC)", ColumnKind.TIME),
            Column("breaker", "Breaker"),
            Column("state", "State", ColumnKind.WORD),
            Column("n", "Looked at", ColumnKind.COUNT),
            Column("errors", "Wrong", ColumnKind.COUNT),
            Column("lower", "From", ColumnKind.SHARE),
            Column("upper", "To", ColumnKind.SHARE),
            Column("rule", "Rule"),
            Column("prompt", "Prompt", ColumnKind.WORD),
            Column("by", "By", ColumnKind.WORD),
            Column("reason", "Why"),
        ),
        [
            (
                row.created_at, name_breaker(row), row.get_state_display(), row.n, row.errors, row.lower, row.upper,
                row.rule, row.prompt_version, row.made_by, row.reason,
            )
            for row in rows
        ],
    )  # fmt: skip


def build_denials(tenant_id: int) -> Table:
    """What players denied of the facts that were written in the last 7 days, by language."""
    rows: list[tuple[Cell, ...]] = []
    for language in [ALL_LANGUAGES, *list_denied_languages(tenant_id)]:
        counts = count_denials(tenant_id, language)
        if not counts.facts:
            continue
        found = judge_denials(counts.denied, counts.facts)
        share, bounds = counts.denied / counts.facts, found.bounds
        rows.append((language or "all", counts.facts, counts.denied, share, bounds.lower, bounds.upper, _render(found)))
    return Table(
        "denials",
        "Denied by players",
        "Of the facts that were written in the last 7 days: what players called wrong, or doubted.",
        "Nothing was written in the last 7 days.",
        (
            Column("language", "Language", ColumnKind.WORD),
            Column("facts", "Facts", ColumnKind.COUNT),
            Column("denied", "Denied", ColumnKind.COUNT),
            Column("share", "Share", ColumnKind.SHARE),
            Column("lower", "From", ColumnKind.SHARE),
            Column("upper", "To", ColumnKind.SHARE),
            Column("finding", "Finding"),
        ),
        rows,
    )


def _render(finding: Finding) -> str:
    if finding.n < MIN_DENIAL_SAMPLE:
        return f"not enough data: fewer than {MIN_DENIAL_SAMPLE} facts"
    if finding.trips:
        return "more than 3 %: it stops"
    return "more than 1 %: look at the log of corrections" if is_alarming(finding) else "no more than 1 % is proven"


def build_rate_history(tenant_id: int) -> Table:
    """The odds of reviews as they were set, newest first."""
    rows = SamplingRate.objects.filter(tenant_id=tenant_id).order_by("-id")[:MAX_EVENTS]
    return Table(
        "rates",
        "What is reviewed",
        "The odds at which proposals are drawn, set once an hour by what the last 14 days say.",
        "No odds are set yet, so everything is reviewed. They are set within the hour that extraction runs.",
        (
            Column("at", "When (UTC)", ColumnKind.TIME),
            Column("policy", "Policy", ColumnKind.SHARE),
            Column("accepted_rate", "Passed the gate", ColumnKind.SHARE),
            Column("rejected_rate", "Refused", ColumnKind.SHARE),
            Column("run_rate", "Whole runs", ColumnKind.SHARE),
            Column("reviewed", "Reviewed", ColumnKind.COUNT),
            Column("errors", "Wrong", ColumnKind.COUNT),
            Column("ceiling", "At most (95 %)", ColumnKind.SHARE),
            Column("reason", "Why"),
        ),
        [
            (
                row.created_at, row.policy, row.accepted_rate, row.rejected_rate, row.run_rate, row.reviewed,
                row.errors, row.ceiling, row.reason,
            )
            for row in rows
        ],
    )  # fmt: skip


def build_confidence_history(tenant_id: int) -> Table:
    """When labels muted a confidence, and when they made it believed again, newest first."""
    rows = ConfidenceBucket.objects.filter(tenant_id=tenant_id).order_by("-id")[:MAX_EVENTS]
    return Table(
        "confidence",
        "Muted confidence",
        "Each change of trust with what it rests on: muted once 20 labels or more prove that under 95 % are right.",
        "No confidence was ever muted.",
        (
            Column("at", "When (UTC)", ColumnKind.TIME),
            Column("version", "Model and prompt"),
            Column("confidence_from", "Confidence from", ColumnKind.NUMBER),
            Column("state", "State", ColumnKind.WORD),
            Column("reviewed", "Reviewed", ColumnKind.COUNT),
            Column("right", "Right", ColumnKind.COUNT),
            Column("lower", "From", ColumnKind.SHARE),
            Column("upper", "To", ColumnKind.SHARE),
        ),
        [
            (
                row.created_at, row.version, row.floor, "believed again" if row.is_trusted else "muted", row.n,
                row.right, *_bound(row),
            )
            for row in rows
        ],
    )  # fmt: skip


def _bound(row: ConfidenceBucket) -> tuple[float, float]:
    bounds = Bucket(row.floor, row.n, row.right).bounds
    return bounds.lower, bounds.upper
