"""Storing what is answered to a message: once, whoever answers at the same time."""

from __future__ import annotations

from django.db import transaction

from episodes.conversations.actions.messages import StoredMessage, lock_conversation, place_messages, prepare_messages
from episodes.conversations.core.drafts import MessageDraft
from episodes.conversations.selectors.replies import find_reply
from episodes.models import Message, MessageRole


def store_reply(*, message: Message, content: str) -> StoredMessage:
    """The reply in its place, or the one that the message has by now. Locks the conversation. Raises InvalidMessage."""
    draft = MessageDraft(role=MessageRole.ASSISTANT, content=content, reply_to_id=message.pk)
    place = {"tenant_id": message.tenant_id, "conversation_id": message.conversation_id}
    prepared = prepare_messages(**place, drafts=[draft])
    with transaction.atomic():
        lock_conversation(**place)
        known = find_reply(message)
        if known is not None:
            return StoredMessage(known, created=False)
        return place_messages(prepared)[0]
