"""The assistant's message that a player's message answers."""

from __future__ import annotations

from episodes.models import Message, MessageRole
from episodes.selectors.neighbours import Claim, find_claim


def find_surrounding_claim(message: Message) -> Claim | None:
    """The assistant's message that it names as the one it answers, else the last before it; None where forgotten."""
    replied = message.reply_to if message.reply_to_id is not None else None
    reply_to_id = replied.pk if replied is not None and replied.role == MessageRole.ASSISTANT else None
    return find_claim(conversation_id=message.conversation_id, seq=message.seq, reply_to_id=reply_to_id)
