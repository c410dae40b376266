"""The messages around one, as far as they are not forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from episodes.models import Message, MessageRole

CLAIM_WITHIN = 50
"""How many places back an assistant's message still counts as what a player answers."""


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


def find_claim(*, conversation_id: int, seq: int, reply_to_id: int | None = None) -> Claim | None:
    """The assistant's message that a place answers: the one replied to, else the last before it. One query.

    None where it is forgotten.
    """
    said = Message.objects.filter(conversation_id=conversation_id, role=MessageRole.ASSISTANT)
    row = (
        said.filter(pk=reply_to_id).first()
        if reply_to_id is not None
        else said.filter(seq__lt=seq, seq__gte=seq - CLAIM_WITHIN).order_by("-seq").first()
    )
    if row is None or row.forgotten_at is not None:
        return None
    return Claim(row.pk, row.content)
