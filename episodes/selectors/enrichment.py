"""How messages stand on their way to a vector: what waits, what was given up, and what has waited too long."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from episodes.models import MessagePassage
from knowledge.search.models import EmbeddingState
from knowledge.search.sql import read_query

ORPHAN_AFTER = dt.timedelta(hours=1)
"""Whoever waits longer was left behind: a killed worker, an outage, a lost task. Source: seed 002, fix 14."""
COUNTED_MOST = 100_000
_SQL = Path(__file__).parent.parent / "sql"


@dataclass(frozen=True, slots=True)
class EnrichmentState:
    """A tenant's messages without a vector. Counts end at `COUNTED_MOST`."""

    pending: int
    failed: int
    oldest_pending_seconds: float | None
    """How long the first of those that wait has waited; None when none waits."""


def get_enrichment_state(tenant_id: int) -> EnrichmentState:
    """The state of a tenant's messages. One query, over those without a vector alone."""
    with connection.cursor() as cursor:
        cursor.execute(read_query(_SQL / "enrichment_state.sql"), {"tenant_id": tenant_id, "most": COUNTED_MOST})
        pending, failed, oldest = cursor.fetchone()
    waited = None if oldest is None else max((timezone.now() - oldest).total_seconds(), 0.0)
    return EnrichmentState(pending, failed, None if waited is None else round(waited, 1))


def count_orphans() -> dict[str, int]:
    """Tenant to how many of its messages failed or wait for more than an hour. One query."""
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(_SQL / "orphan_messages.sql"),
            {"waiting_since": timezone.now() - ORPHAN_AFTER, "most": COUNTED_MOST},
        )
        return dict(cursor.fetchall())


def filter_orphans(passages: QuerySet[MessagePassage]) -> QuerySet[MessagePassage]:
    """Those of the passages that failed or have waited for more than an hour."""
    return passages.filter(
        Q(embedding_state=EmbeddingState.FAILED)
        | Q(embedding_state=EmbeddingState.PENDING, created_at__lt=timezone.now() - ORPHAN_AFTER)
    )
