"""The messages around one, as far as they are not forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from episodes.models import Message, MessageRole
from memoryproject.prepared import prepared_cursor

CLAIM_WITHIN = 50
"""How many places back an assistant's message still counts as what a player answers."""


_CLAIM_BEFORE = """
SELECT id, content, forgotten_at FROM episodes_message
WHERE conversation_id = %s AND role = %s AND seq < %s AND seq >= %s
ORDER BY seq DESC LIMIT 1
"""
_CLAIM_REPLIED_TO = """
SELECT id, content, forgotten_at FROM episodes_message
WHERE conversation_id = %s AND role = %s AND id = %s
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the assistant said last."""

    message_id: int
    content: str


def find_previous_id(*, conversation_id: int, seq: int) -> int | None:
    """The message just before a place, unless it is forgotten. One query."""
    return (
        Message.objects.filter(conversation_id=conversation_id, seq=seq - 1, forgotten_at__isnull=True)
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
    row = said.order_by("-seq").values_list("pk", "forgotten_at").first()
    return None if row is None or row[1] is not None else row[0]


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
    if row is None or row[2] is not None:
        return None
    return Claim(row[0], row[1])
