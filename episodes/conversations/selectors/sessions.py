"""Reads of messages by the play session in which they were said, each within its tenant and world."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db.models import QuerySet

from episodes.conversations.models import PLACE_ID
from episodes.models import Conversation, Message, MessageRole


def list_session_messages(
    *, tenant_id: int, world_id: int, session_id: str, npc_id: str, limit: int, after_id: int = 0
) -> list[Message]:
    """The last messages of the talk with that NPC in that session, oldest first; no forgotten ones. One query."""
    rows = _list_rows(tenant_id, world_id, session_id).filter(npc_id=npc_id)
    if after_id:
        rows = rows.alias(place=PLACE_ID).filter(place__gt=after_id)
    return list(rows.order_by(PLACE_ID.desc())[:limit])[::-1]


def list_session_npcs(*, tenant_id: int, world_id: int, session_id: str, since: dt.datetime | None) -> list[str]:
    """Whom the player talked to in that session, since that time if one is given. One query."""
    rows = _list_rows(tenant_id, world_id, session_id)
    if since is not None:
        rows = rows.filter(sent_at__gte=since)
    return sorted(rows.order_by().values_list("npc_id", flat=True).distinct())


def find_last_session_message_id(
    *, tenant_id: int, world_id: int, session_id: str, npc_id: str | None = None, before_id: int | None = None
) -> int:
    """The newest place of the session, or of the talk with that NPC; 0 without one. One query."""
    rows = _list_rows(tenant_id, world_id, session_id).annotate(place=PLACE_ID)
    if before_id is not None:
        rows = rows.filter(place__lt=before_id)
    if npc_id is not None:
        rows = rows.filter(npc_id=npc_id)
    return int(rows.order_by(PLACE_ID.desc()).values_list("place", flat=True).first() or 0)


def list_sessions_of_messages(*, tenant_id: int, message_ids: Iterable[int]) -> list[tuple[int, str, str]]:
    """World, session and NPC of the messages that were said in a session of a world, forgotten or not. One query."""
    rows = Message.objects.filter(
        tenant_id=tenant_id, pk__in=list(message_ids), conversation__world_id__isnull=False
    ).exclude(session_id="")
    return list(rows.order_by().values_list("conversation__world_id", "session_id", "npc_id").distinct())


def list_talks_of_user(*, tenant_id: int, end_user_id: int, world_id: int | None = None) -> list[tuple[int, str, str]]:
    """World, session and NPC of all that the user said in a session of a world, forgotten or not. One query."""
    rows = Message.objects.filter(
        tenant_id=tenant_id, conversation__end_user_id=end_user_id, conversation__world_id__isnull=False
    ).exclude(session_id="")
    if world_id is not None:
        rows = rows.filter(conversation__world_id=world_id)
    return list(rows.order_by().values_list("conversation__world_id", "session_id", "npc_id").distinct())


def find_worlds(*, conversation_ids: Iterable[int]) -> dict[int, int]:
    """Conversation to world, for those that belong to one. One query."""
    rows = Conversation.objects.filter(pk__in=list(conversation_ids), world_id__isnull=False)
    return dict(rows.values_list("pk", "world_id"))


def find_previous_answer_id(message: Message) -> int:
    """The assistant's last message before this one: two of the player's with the same are one exchange. One query."""
    rows = Message.objects.filter(conversation_id=message.conversation_id, seq__lt=message.seq, is_current=True)
    answers = rows.filter(role=MessageRole.ASSISTANT).order_by("-seq")
    return answers.values_list("pk", flat=True).first() or 0


def list_unread(*, tenant_id: int, message_ids: Iterable[int]) -> list[int]:
    """Those of the messages that nobody reads: forgotten, or not current at their place. One query."""
    ids = list(message_ids)
    living = set(Message.objects.living().filter(tenant_id=tenant_id, pk__in=ids).values_list("pk", flat=True))
    return [each for each in ids if each not in living]


def list_deselected(*, tenant_id: int, message_ids: Iterable[int]) -> list[int]:
    """Those of the messages that are not current at their place. One query."""
    rows = Message.objects.filter(tenant_id=tenant_id, pk__in=list(message_ids), is_current=False)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def list_forgotten(*, tenant_id: int, message_ids: Iterable[int]) -> list[int]:
    """Those of the messages that are forgotten. One query."""
    rows = Message.objects.gone().filter(tenant_id=tenant_id, pk__in=list(message_ids))
    return list(rows.values_list("pk", flat=True))


def _list_rows(tenant_id: int, world_id: int, session_id: str) -> QuerySet[Message]:
    rows = Message.objects.living().filter(tenant_id=tenant_id, conversation__world_id=world_id, session_id=session_id)
    return rows.exclude(role=MessageRole.SYSTEM)
