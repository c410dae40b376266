"""Reads for the nightly figures: a night's exchanges, and what the player said before that is near."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pgvector.django import CosineDistance

from episodes.models import Message, MessagePassage, MessageRole
from runtime.measuring.core import MIN_LEXEMES, REPEAT_DAYS, Earlier, is_statement
from runtime.models import Trace
from runtime.traces.core.ids import floor_trace_id

NEAREST = 5
SESSION_GAP = dt.timedelta(minutes=30)
"""What was said within it stands in the talk: it is not remembered, it is there."""
MAX_REQUESTS = 20
MAX_EXCHANGES = 100_000


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn whose player's words are in RAW, and the messages that its pack told."""

    trace_id: uuid.UUID
    tenant_id: int
    user_id: str
    message_id: int
    told: frozenset[int]


def list_exchange_ids(start: dt.datetime, end: dt.datetime) -> list[uuid.UUID]:
    """Traces of a time that name the player's message, whose words are still there: at most 100,000."""
    rows = Trace.objects.filter(
        pk__gte=floor_trace_id(start), pk__lt=floor_trace_id(end), message_id__isnull=False, blanked_at__isnull=True
    ).exclude(user_id="")
    return list(rows.order_by("pk").values_list("pk", flat=True)[:MAX_EXCHANGES])


def load_exchanges(ids: Iterable[uuid.UUID]) -> Iterator[Exchange]:
    """Those exchanges."""
    rows = Trace.objects.filter(pk__in=list(ids)).order_by("pk")
    for pk, tenant_id, user_id, message_id, outline in rows.values_list(
        "pk", "tenant_id", "user_id", "message_id", "outline"
    ).iterator(chunk_size=200):
        if message_id is not None:
            yield Exchange(pk, tenant_id, user_id, message_id, list_told(outline))


def find_message(exchange: Exchange) -> MessagePassage | None:
    """The passage of the player's words, if it has a vector."""
    return (
        MessagePassage.objects.filter(
            tenant_id=exchange.tenant_id, message_id=exchange.message_id, embedding__isnull=False
        )
        .select_related("message")
        .first()
    )


def list_nearest(exchange: Exchange, said: MessagePassage) -> list[Earlier]:
    """The five messages of 90 days that are nearest to the player's words, said in an earlier session.

    An exact scan of one player's vectors by index, and one query for the packs since.
    """
    until = said.message.sent_at - SESSION_GAP
    rows = list(
        MessagePassage.objects.filter(
            tenant_id=exchange.tenant_id,
            end_user_id=said.end_user_id,
            created_at__gte=until - dt.timedelta(days=REPEAT_DAYS),
            embedder=said.embedder,
            length__gte=MIN_LEXEMES,
            message__role=MessageRole.USER,
            message__sent_at__gte=until - dt.timedelta(days=REPEAT_DAYS),
            message__sent_at__lt=until,
            message__in=Message.objects.living(),
        )
        .annotate(distance=CosineDistance("embedding", said.embedding))
        .order_by("distance")
        .values_list("message_id", "message__content", "length", "message__sent_at", "distance")[:NEAREST]
    )
    if not rows:
        return []
    requests = _list_requests(exchange, min(said_at for _, _, _, said_at, _ in rows))
    return [
        Earlier(
            message_id=message_id,
            similarity=1 - distance,
            is_statement=is_statement(text, length),
            requests_since=tuple(told for at, told in requests if at > said_at),
        )
        for message_id, text, length, said_at, distance in rows
    ]


def list_told(outline: dict[str, Any]) -> frozenset[int]:
    """The messages that a pack told, word for word or as the evidence of what it told."""
    return frozenset(
        message_id for item in outline["items"] if item["reason"] is None for message_id in item["evidence"]
    )


def _list_requests(exchange: Exchange, since: dt.datetime) -> list[tuple[dt.datetime, frozenset[int]]]:
    """Packs of the player before the turn, newest first, at most 20."""
    rows = Trace.objects.filter(
        tenant_id=exchange.tenant_id,
        user_id=exchange.user_id,
        pk__lt=exchange.trace_id,
        pk__gte=floor_trace_id(since),
    ).order_by("-pk")
    return [(at, list_told(outline)) for at, outline in rows.values_list("created_at", "outline")[:MAX_REQUESTS]]
