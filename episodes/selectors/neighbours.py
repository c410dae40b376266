"""The messages around one, as far as they are not forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from episodes.models import Message, MessageRole
from memoryproject.prepared import prepared_cursor

CLAIM_WITHIN = 50
"""How many places back an assistant's message still counts as what a player answers."""


_IS_GONE = "m.forgotten_at IS NOT NULL OR m.seq <= c.gone_to"
_CLAIM_BEFORE = f"""
SELECT m.id, m.content, {_IS_GONE} FROM episodes_message m JOIN episodes_conversation c ON c.id = m.conversation_id
WHERE m.conversation_id = %s AND m.role = %s AND m.seq < %s AND m.seq >= %s
ORDER BY m.seq DESC LIMIT 1
"""  # noqa: S608 - our own text
_CLAIM_REPLIED_TO = f"""
SELECT m.id, m.content, {_IS_GONE} FROM episodes_message m JOIN episodes_conversation c ON c.id = m.conversation_id
WHERE m.conversation_id = %s AND m.role = %s AND m.id = %s
"""  # noqa: S608 - our own text


@dataclass(frozen=True, slots=True)
class Claim:
    """What the assistant said last."""

    message_id: int
    content: str


def find_previous_id(*, conversation_id: int, seq: int) -> int | None:
    """The message just before a place, unless it is forgotten. One query."""
    return (
        Message.objects.living()
        .filter(conversation_id=conversation_id, seq=seq - 1)
        .values_list("pk", flat=True)
        .first()
    )


def find_next_id(*, conversation_id: int, seq: int) -> int | None:
    """The message just after a place, unless it is forgotten. One query."""
    return find_previous_id(conversation_id=conversation_id, seq=seq + 2)


def find_last_said_id(*, conversation_id: int, seq: int) -> int | None:
    """The player's last message before a place, unless it is forgotten. One query."""
    said = Message.objects.filter(
        conversation_id=conversation_id, role=MessageRole.USER, seq__lt=seq, seq__gte=seq - CLAIM_WITHIN
    )
    columns = ("seq", "forgotten_at", "conversation__gone_to")
    row = said.order_by("-seq").select_related("conversation").only(*columns).first()
    return None if row is None or row.is_gone else row.pk


def find_claim(*, conversation_id: int, seq: int, reply_to_id: int | None = None) -> Claim | None:
    """The assistant's message that a place answers: the one replied to, else the last before it. One query.

    None where it is forgotten.
    """
    with prepared_cursor() as cursor:
        if reply_to_id is None:
            cursor.execute(_CLAIM_BEFORE, (conversation_id, MessageRole.ASSISTANT.value, seq, seq - CLAIM_WITHIN))
        else:
            cursor.execute(_CLAIM_REPLIED_TO, (conversation_id, MessageRole.ASSISTANT.value, reply_to_id))
        row = cursor.fetchone()
    if row is None or row[2]:
        return None
    return Claim(row[0], row[1])
