"""The messages around a player's message, and the assistant's that it answers."""

from __future__ import annotations

from episodes.conversations.selectors.neighbours import (
    find_claim,
    find_next_id,
    find_open_claim,
    find_previous_id,
)
from episodes.models import Message
from factcheck.core.message_extraction import AdjacentMessages, Reading
from factcheck.instant.actions.extraction import may_answer_claim, read_kept


def load_adjacent_messages(message: Message, *, with_claim: bool) -> AdjacentMessages:
    """The messages around one that has long been stored, with what it answers where that may matter."""
    claim = find_claim(message) if with_claim else None
    return AdjacentMessages(
        previous_id=find_previous_id(conversation_id=message.conversation_id, seq=message.seq),
        next_id=find_next_id(conversation_id=message.conversation_id, seq=message.seq),
        claim_id=claim.message_id if claim else None,
        claim=claim.content if claim else "",
        is_reply=claim is not None and claim.message_id == message.reply_to_id,
    )


def read_at_place(message: Message, *, end_user_id: int) -> Reading:
    """What a stored message says, read once, behind what it answers. One query where it may answer, else none."""
    return read_kept(message, end_user_id=end_user_id, previous=find_answered(message, message.content, message.frame))


def find_answered(message: Message, content: str, mode: str) -> str:
    """The assistant's message that these words answer at a message's place; empty where they can't answer one."""
    if not may_answer_claim(message.role, content, mode):
        return ""
    if message.reply_to_id is not None:
        return load_adjacent_messages(message, with_claim=True).answered
    return find_open_claim(conversation_id=message.conversation_id, seq=message.seq)
