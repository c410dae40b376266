"""Reads of what was answered to a message."""

from __future__ import annotations

from episodes.models import Message, MessageRole


def find_reply(message: Message) -> Message | None:
    """The assistant's first message that answers this one, if it was not forgotten. One query."""
    return (
        Message.objects.living()
        .filter(
            conversation_id=message.conversation_id,
            seq__gt=message.seq,
            role=MessageRole.ASSISTANT,
            reply_to_id=message.pk,
        )
        .order_by("seq")
        .first()
    )
