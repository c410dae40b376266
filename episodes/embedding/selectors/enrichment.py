"""How messages stand on their way to a vector: what waits, what was given up, and what has waited too long."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from episodes.models import MessagePassage, SummaryPassage
from knowledge.search.models import EmbeddingState
from knowledge.search.sql import read_query
from tenancy.models import Tenant

ORPHAN_AFTER = dt.timedelta(hours=1)
"""Whoever waits longer was left behind: a killed worker, an outage, a lost task. Source: seed 002, fix 14."""
SWEPT_AFTER = dt.timedelta(minutes=1)
"""Whoever waits longer may have been left behind; a run that is queued already is not queued twice."""
MAX_COUNTED = 100_000
_SQL = Path(__file__).parent.parent / "sql"


@dataclass(frozen=True, slots=True)
class EnrichmentState:
    """A tenant's messages without a vector, and its summaries. Counts end at `MAX_COUNTED`."""

    pending: int
    failed: int
    oldest_pending_seconds: float | None
    """How long the first of the messages that wait has waited; None when none waits."""
    pending_summaries: int = 0
    oldest_pending: dt.datetime | None = None
    """When the first that waits, message or summary, was stored."""


def get_enrichment_state(tenant_id: int, world_id: int | None = None) -> EnrichmentState:
    """The state of a tenant's messages and summaries, or of those of one world. One query, over what has no vector."""
    parameters = {"tenant_id": tenant_id, "world_id": world_id, "max_count": MAX_COUNTED}
    with connection.cursor() as cursor:
        cursor.execute(read_query(_SQL / "enrichment_state.sql"), parameters)
        pending, failed, oldest, summaries, oldest_summary = cursor.fetchone()
    return EnrichmentState(
        pending,
        failed,
        get_waited_seconds(oldest),
        pending_summaries=summaries,
        oldest_pending=min((each for each in (oldest, oldest_summary) if each is not None), default=None),
    )


def get_waited_seconds(since: dt.datetime | None) -> float | None:
    """Seconds from a moment until now, with one decimal; None for None."""
    return None if since is None else round(max((timezone.now() - since).total_seconds(), 0.0), 1)


def has_backlog(tenant_id: int) -> bool:
    """Whether a message or summary of the tenant waits for a vector."""
    waiting = {"tenant_id": tenant_id, "embedding_state": EmbeddingState.PENDING}
    return MessagePassage.objects.filter(**waiting).exists() or SummaryPassage.objects.filter(**waiting).exists()


def list_tenants_with_backlog(*, now: dt.datetime | None = None) -> list[int]:
    """Tenants with messages or summaries that have waited for a vector for over a minute. Source: seed 002, fix 14."""
    waiting = {
        "tenant_id": OuterRef("pk"),
        "embedding_state": EmbeddingState.PENDING,
        "created_at__lt": (now or timezone.now()) - SWEPT_AFTER,
    }
    has_waiting = Exists(MessagePassage.objects.filter(**waiting)) | Exists(SummaryPassage.objects.filter(**waiting))
    return list(Tenant.objects.filter(has_waiting).order_by("pk").values_list("pk", flat=True))


def count_backlog() -> list[tuple[str, str, int, dt.datetime]]:
    """Tenant, kind (message, summary), how many of it wait for a vector, and since when the first. One query."""
    with connection.cursor() as cursor:
        cursor.execute(read_query(_SQL / "embedding_backlog.sql"))
        return list(cursor.fetchall())


def count_orphans() -> dict[str, int]:
    """Tenant to how many of its messages failed or wait for more than an hour. One query."""
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(_SQL / "orphan_messages.sql"),
            {"waiting_since": timezone.now() - ORPHAN_AFTER, "max_count": MAX_COUNTED},
        )
        return dict(cursor.fetchall())


def filter_orphans(passages: QuerySet[MessagePassage]) -> QuerySet[MessagePassage]:
    """Those of the passages that failed or have waited for more than an hour."""
    return passages.filter(
        Q(embedding_state=EmbeddingState.FAILED)
        | Q(embedding_state=EmbeddingState.PENDING, created_at__lt=timezone.now() - ORPHAN_AFTER)
    )
