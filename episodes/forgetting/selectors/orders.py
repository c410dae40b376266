"""Orders to forget or erase all that a user said: how large they are, their batches, and what is left of it."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Greatest

from episodes.models import (
    ERASED_CONTENT,
    Conversation,
    FailureCode,
    ForgetReceipt,
    Message,
    MessagePassage,
    MessageSnippet,
    OrderKind,
    ReceiptState,
)
from knowledge.facts.models import UserFact
from knowledge.search.sql import read_query
from tenancy.selectors import in_world

_SQL = Path(__file__).parent.parent / "sql"
STALLED_AFTER = dt.timedelta(minutes=1)
"""An order that has not got on for so long has no worker: a batch takes a second at most."""


@dataclass(frozen=True, slots=True)
class OrderedMessage:
    """A message that an order works off, with the beginning of its words."""

    id: int
    conversation_id: int
    seq: int
    content: str


@dataclass(frozen=True, slots=True)
class SessionTalk:
    """A talk with one NPC in a session, and the messages that session memory may hold of it."""

    world_id: int
    session_id: str
    npc_id: str
    message_ids: tuple[int, ...]


def list_own_conversations(*, tenant_id: int, end_user_id: int, world_id: int | None) -> QuerySet[Conversation]:
    """The user's conversations, or those in one world."""
    rows = Conversation.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    return rows if world_id is None else rows.filter(world_id=world_id)


def count_places(*, tenant_id: int, end_user_id: int, world_id: int | None, kind: OrderKind) -> int:
    """How many messages an order of the kind looks at, by the places of conversations. One query; no message is read.

    What another order has reached is not forgotten once more, but may have words that are to be erased.
    """
    rows = list_own_conversations(tenant_id=tenant_id, end_user_id=end_user_id, world_id=world_id)
    behind = F("fork_seq") if kind == OrderKind.ERASE else Greatest(F("gone_to"), F("fork_seq"))
    return int(rows.aggregate(places=Sum(F("last_seq") - behind))["places"] or 0)


def find_open_order(*, tenant_id: int, end_user_id: int, world_id: int | None, kind: OrderKind) -> ForgetReceipt | None:
    """The order of that kind that is not done, locked; at most one, by a constraint."""
    rows = ForgetReceipt.objects.filter(in_world(world_id), tenant_id=tenant_id, end_user_id=end_user_id)
    return rows.exclude(state=ReceiptState.DONE).filter(order_kind=kind).select_for_update(no_key=True).first()


def list_batch(receipt: ForgetReceipt, *, longest: int, batch_size: int) -> list[OrderedMessage]:
    """The next messages behind the place that the order has come to. One query."""
    conversation_id, seq = (receipt.work or {})["after"]
    parameters = {
        "tenant_id": receipt.tenant_id,
        "end_user_id": receipt.end_user_id,
        "world_id": receipt.world_id,
        "after_conversation_id": conversation_id,
        "after_seq": seq,
        "longest": longest,
        "batch_size": batch_size,
    }
    with connection.cursor() as cursor:
        cursor.execute(read_query(_SQL / "order_batch.sql"), parameters)
        return [OrderedMessage(*row) for row in cursor.fetchall()]


def list_session_talks(*, tenant_id: int, end_user_id: int, world_id: int | None) -> list[SessionTalk]:
    """The user's talks in sessions, each with its last messages. One query."""
    parameters = {
        "tenant_id": tenant_id,
        "end_user_id": end_user_id,
        "world_id": world_id,
        "max_messages": settings.MEMORY_MAX_MESSAGES,
    }
    with connection.cursor() as cursor:
        cursor.execute(read_query(_SQL / "last_session_messages.sql"), parameters)
        return [SessionTalk(world, session, npc, tuple(ids)) for world, session, npc, ids in cursor.fetchall()]


def list_stalled_orders(*, now: dt.datetime, limit: int) -> list[uuid.UUID]:
    """Open orders that nobody works on. One whose batches fail waits for somebody who tries again."""
    rows = ForgetReceipt.objects.filter(
        Q(state__in=[ReceiptState.PENDING, ReceiptState.RUNNING]) | Q(code=FailureCode.STILL_FOUND),
        order_kind__in=OrderKind.values,
        advanced_at__lt=now - STALLED_AFTER,
    )
    return list(rows.exclude(state=ReceiptState.DONE).order_by("advanced_at").values_list("pk", flat=True)[:limit])


def count_order_leftovers(receipt: ForgetReceipt) -> dict[str, int]:
    """What is left of what the order has reached, by store: all 0 where it worked. Five queries at most."""
    owner_filter: dict[str, Any] = {
        "tenant_id": receipt.tenant_id,
        "end_user_id": receipt.end_user_id,
        "world_id": receipt.world_id,
    }
    conversations = list_own_conversations(**owner_filter)
    reached = Message.objects.filter(conversation__in=conversations, seq__lte=F("conversation__gone_to"))
    passages = MessagePassage.objects.filter(conversation__in=conversations, seq__lte=F("conversation__gone_to"))
    left = {
        "messages": reached.filter(forgotten_at__isnull=True).count(),
        "passages": passages.count(),
        "descriptions": reached.exclude(response_description="").count(),
        "snippets": MessageSnippet.objects.filter(message__in=reached).count(),
        "facts": len(list_gone_proofs(**owner_filter)),
    }
    if receipt.order_kind == OrderKind.ERASE:
        left["contents"] = reached.exclude(content=ERASED_CONTENT).count()
    return left


def list_gone_proofs(*, tenant_id: int, end_user_id: int, world_id: int | None) -> list[int]:
    """The messages that prove or explain facts of the user and are gone, in one world or in all. Two queries."""
    living = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).exclude(value_sealed=b"")
    ids = {pk for around in living.values_list("evidence", "evidence_span") for each in around for pk in each}
    if not ids:
        return []
    rows = Message.objects.gone().filter(tenant_id=tenant_id, pk__in=ids)
    if world_id is not None:
        rows = rows.filter(conversation__world_id=world_id)
    return list(rows.order_by("pk").values_list("pk", flat=True))
