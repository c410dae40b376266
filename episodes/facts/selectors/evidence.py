"""The messages that facts rest on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from episodes.conversations.core.excerpts import make_excerpt
from episodes.conversations.selectors.conversations import mask_gone
from episodes.errors import UnknownEvidence
from episodes.models import Message


@dataclass(frozen=True, slots=True)
class Evidence:
    """One message that a fact rests on; of a forgotten one there is nothing to quote."""

    message_id: int
    conversation_id: int
    seq: int
    role: str
    sent_at: dt.datetime
    excerpt: str | None
    is_current: bool = True
    """False once it was edited or swiped away: then it proves nothing."""


def expand_evidence(
    *, tenant_id: int, end_user_id: int, message_ids: Iterable[int], world_id: int | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The messages, and apart those just before and after each in its conversation. Two queries.

    Raises UnknownEvidence.

    All must be the user's own conversations', in that world, and none forgotten; forgotten neighbours are left out.
    Source: seed 002, fix 5.
    """
    wanted = set(message_ids)
    if not wanted:
        return (), ()
    own = Message.objects.living().filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id)
    if world_id is not None:
        own = own.filter(conversation__world_id=world_id)
    places = list(own.filter(pk__in=wanted).values_list("pk", "conversation_id", "seq"))
    missing = wanted - {pk for pk, _, _ in places}
    if missing:
        raise UnknownEvidence(f"There is no message {min(missing)} of this user to rest on.", message_id=min(missing))
    span = Q()
    for _, conversation_id, seq in places:
        span |= Q(conversation_id=conversation_id, seq__range=(seq - 1, seq + 1))
    around = own.filter(span).exclude(pk__in=wanted).order_by("pk").values_list("pk", flat=True)
    return tuple(sorted(wanted)), tuple(around)


def list_evidence(*, tenant_id: int, end_user_id: int, message_ids: Iterable[int]) -> list[Evidence]:
    """The messages in their order, each quoted. One query."""
    rows = list_evidence_messages(tenant_id=tenant_id, end_user_id=end_user_id, message_ids=message_ids)
    return [to_evidence(row) for row in rows]


def list_evidence_messages(*, tenant_id: int, end_user_id: int, message_ids: Iterable[int]) -> list[Message]:
    """Those of the messages that the user's conversations hold, in their order. One query. Not to be saved."""
    rows = Message.objects.filter(tenant_id=tenant_id, conversation__end_user_id=end_user_id, pk__in=list(message_ids))
    in_order = rows.select_related("conversation").order_by("conversation_id", "seq")
    return [each for row in in_order for each in mask_gone(row.conversation, [row])]


def to_evidence(row: Message) -> Evidence:
    """A message as evidence."""
    return Evidence(
        message_id=row.pk,
        conversation_id=row.conversation_id,
        seq=row.seq,
        role=row.role,
        sent_at=row.sent_at,
        excerpt=None if row.forgotten_at else make_excerpt(row.content, memory_type=row.memory_type),
        is_current=row.is_current,
    )
