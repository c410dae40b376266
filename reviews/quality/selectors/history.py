"""What the breakers did, at which odds proposals were reviewed, and why."""

from __future__ import annotations

from factcheck.extraction.models import BreakerEvent, SamplingRate
from factcheck.extraction.selectors.breakers import name_breaker
from reviews.quality.core.tables import Column, ColumnKind, Table

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
