"""What is to be worked off now: chunks to close, events to extract, buffers to archive."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from episodes.events.core.chunks import LEFT_OVER
from episodes.events.models import EventPassage, EventState
from knowledge.search.embedding import get_event_embedder, name_vector_space
from knowledge.search.models import EmbeddingState
from knowledge.search.sql import read_query

SQL = Path(__file__).resolve().parents[1] / "sql"
SESSION_GAP = dt.timedelta(minutes=30)
"""After so long without a message a session is over. Source: seed 002, fix 1B."""


@dataclass(frozen=True, slots=True)
class DueConversation:
    """A conversation with a chunk to close, and why."""

    conversation_id: int
    tenant_id: int
    trigger: str


@dataclass(frozen=True, slots=True)
class DueEvent:
    """An event that waits for a worker."""

    node_id: UUID
    tenant_id: int
    state: str


def list_due_conversations(*, limit: int, now: dt.datetime | None = None) -> list[DueConversation]:
    """Conversations in which enough was said, or whose session is over. One query."""
    parameters: dict[str, Any] = {
        "now": now or timezone.now(),
        "gap": SESSION_GAP,
        "left_over": LEFT_OVER,
        "every": settings.EVENTS_EVERY,
        "is_enabled": settings.EVENTS_ENABLED,
        "limit": limit,
    }
    return [DueConversation(*row) for row in _fetch("due_conversations", parameters)]


def list_due_events(*, limit: int, now: dt.datetime | None = None) -> list[DueEvent]:
    """Events that wait to be extracted, whose worker died, or that are to be read again; in turn between tenants."""
    return [DueEvent(*row) for row in _fetch("due_events", {"now": now or timezone.now(), "limit": limit})]


def list_full_buffers(*, limit: int) -> list[int]:
    """Conversations whose buffer is to be archived by its count or its tokens, or is left half archived. One query."""
    parameters = {
        "now": timezone.now(),
        "archive_at": settings.EVENTS_ARCHIVE_AT,
        "archive_tokens": settings.EVENTS_ARCHIVE_TOKENS,
        "limit": limit,
    }
    return [row[0] for row in _fetch("full_buffers", parameters)]


def list_conversations_without_vectors(*, limit: int) -> list[int]:
    """Conversations with archived events that have no vector of today's embedder, though none refused them. One query.

    Another embedder made theirs, or a person changed their words, or showed them again.
    """
    space = name_vector_space(get_event_embedder())
    rows = EventPassage.objects.filter(node__state=EventState.ARCHIVED).filter(
        Q(embedding_state=EmbeddingState.PENDING) | Q(embedding_state=EmbeddingState.DONE) & ~Q(embedder=space)
    )
    return list(rows.order_by("conversation_id").values_list("conversation_id", flat=True).distinct()[:limit])


def _fetch(name: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(read_query(SQL / f"{name}.sql"), parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
