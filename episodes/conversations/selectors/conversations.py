"""Reads of conversations and their messages, each within its tenant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import BigIntegerField

from episodes.errors import UnknownConversation, UnknownMessage
from episodes.models import ERASED_CONTENT, Conversation, Message
from memoryproject.prepared import prepared_cursor

_FIND_WORLD = "SELECT world_id FROM episodes_conversation WHERE tenant_id = %s AND id = %s"


@dataclass(frozen=True, slots=True)
class MessagePage:
    """Messages in order, and whether there are more on the side that the page was asked for."""

    messages: tuple[Message, ...]
    has_more: bool


def get_conversation(*, tenant_id: int, conversation_id: int, world_id: int | None = None) -> Conversation:
    """The tenant's conversation, with its user and world. With `world_id`, of that world only.

    Raises UnknownConversation.
    """
    found = (
        Conversation.objects.select_related("end_user", "world").filter(tenant_id=tenant_id, pk=conversation_id).first()
    )
    if found is None or (world_id is not None and found.world_id != world_id):
        raise UnknownConversation(f"There is no conversation {conversation_id}.")
    return found


def list_conversations(
    *, tenant_id: int, end_user_id: int, world_id: int | None = None, before: int | None = None, limit: int = 50
) -> list[Conversation]:
    """The user's conversations, newest first, with user and world; with `world_id`, those of that world. One query.

    `before` is the id of the last one of the page before.
    """
    rows = Conversation.objects.select_related("end_user", "world").filter(tenant_id=tenant_id, end_user_id=end_user_id)
    if world_id is not None:
        rows = rows.filter(world_id=world_id)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return list(rows.order_by("-id")[:limit])


def check_conversation(*, tenant_id: int, conversation_id: int, world_id: int | None = None) -> None:
    """Raises UnknownConversation unless the tenant has it; with `world_id`, in that world. One query."""
    found = None
    if conversation_id <= BigIntegerField.MAX_BIGINT:
        with prepared_cursor() as cursor:
            cursor.execute(_FIND_WORLD, (tenant_id, conversation_id))
            found = cursor.fetchone()
    if found is None or (world_id is not None and found[0] != world_id):
        raise UnknownConversation(f"There is no conversation {conversation_id}.")


def list_messages(
    conversation: Conversation, *, after: int | None = None, before: int | None = None, limit: int = 50
) -> MessagePage:
    """The first messages after a place, or the last ones before a place, in the order in which they were said."""
    rows = Message.objects.seen_in(conversation).filter(is_current=True)
    if before is not None:
        found = mask_gone(conversation, rows.filter(seq__lt=before).order_by("-seq")[: limit + 1])
        return MessagePage(tuple(reversed(found[:limit])), has_more=len(found) > limit)
    found = mask_gone(conversation, rows.filter(seq__gt=after or 0).order_by("seq")[: limit + 1])
    return MessagePage(tuple(found[:limit]), has_more=len(found) > limit)


def mask_gone(conversation: Conversation, messages: Iterable[Message]) -> list[Message]:
    """The conversation's messages; those under an order look as they will once it is worked off. Not to be saved."""
    masked = list(messages)
    for message in masked:
        if message.seq <= conversation.gone_to:
            message.forgotten_at = message.forgotten_at or conversation.gone_at
            message.content = ERASED_CONTENT
            message.client_message_id = message.body_hash = None
            message.response_description = message.mood = message.session_id = ""
    return masked


def get_message(*, tenant_id: int, message_id: int) -> Message:
    """The tenant's message, with its conversation and user. Raises UnknownMessage."""
    try:
        return Message.objects.select_related("conversation__end_user").get(tenant_id=tenant_id, pk=message_id)
    except Message.DoesNotExist:
        raise UnknownMessage(f"There is no message {message_id}.") from None
