"""Reads of what was answered to a message."""

from __future__ import annotations

from episodes.models import Message, MessageRole


def find_reply(message: Message) -> Message | None:
    """The assistant's first message that answers this one, whichever alternative of it, if not forgotten. One query."""
    return (
        Message.objects.living()
        .filter(
            conversation_id=message.conversation_id,
            seq__gt=message.seq,
            role=MessageRole.ASSISTANT,
            reply_to__conversation_id=message.conversation_id,
            reply_to__seq=message.seq,
        )
        .order_by("seq")
        .first()
    )
