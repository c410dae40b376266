"""Talk becomes chunks: each is an event that waits to be extracted."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from episodes.events.actions.books import lock_book
from episodes.events.core.chunks import PATIENCE, Chunk, Spoken, split_chunks
from episodes.events.models import EventNode, EventTrigger
from episodes.events.selectors.policies import get_policy
from episodes.models import Conversation, Message, MessageRole

MAX_CHUNKS = 40
"""Of one call: a long history that is loaded at once is worked off in turns."""


def plan_events(*, conversation_id: int, trigger: EventTrigger) -> list[EventNode]:
    """The events of all chunks that are full now; with another trigger than COUNT, of the rest as well.

    Locks the conversation's book: two workers never make two events of one message.
    """
    with transaction.atomic():
        book = lock_book(conversation_id)
        conversation = Conversation.objects.get(pk=conversation_id)
        policy = get_policy(conversation.world_id)
        if not policy.is_enabled and trigger != EventTrigger.MANUAL:
            return []
        messages = _list_spoken(conversation, book.reached, policy.every * PATIENCE * MAX_CHUNKS)
        is_over = trigger != EventTrigger.COUNT
        chunks = split_chunks([spoken for spoken, _ in messages], every=policy.every, is_over=is_over)
        npcs = {spoken.id: npc_id for spoken, npc_id in messages}
        nodes = [_build_node(conversation, chunk, trigger, npcs) for chunk in chunks]
        EventNode.objects.bulk_create(nodes)
        if nodes:
            book.reached = nodes[-1].last_seq
        is_all = len(messages) < policy.every * PATIENCE * MAX_CHUNKS
        book.tried_seq = conversation.last_seq if is_all else book.reached
        book.is_tried_closed = is_over
        book.save(update_fields=["reached", "tried_seq", "is_tried_closed"])
        return nodes


def _list_spoken(conversation: Conversation, reached: int, limit: int) -> list[tuple[Spoken, str]]:
    rows = Message.objects.living().filter(conversation=conversation, seq__gt=reached).exclude(role=MessageRole.SYSTEM)
    values = rows.order_by("seq").values_list("pk", "seq", "role", "npc_id")[:limit]
    return [(Spoken(pk, seq, role == MessageRole.USER), npc_id) for pk, seq, role, npc_id in values]


def _build_node(conversation: Conversation, chunk: Chunk, trigger: EventTrigger, npcs: dict[int, str]) -> EventNode:
    ids = [message.id for message in chunk.messages]
    return EventNode(
        tenant_id=conversation.tenant_id,
        world_id=conversation.world_id,
        end_user_id=conversation.end_user_id,
        conversation=conversation,
        first_seq=chunk.first_seq,
        last_seq=chunk.last_seq,
        triggered_by=trigger,
        evidence=ids,
        npc_ids=list_witnesses(conversation.npc_id, [npcs[pk] for pk in ids]),
    )


def list_witnesses(npc_id: str, spoken_with: Sequence[str]) -> list[str]:
    """The NPCs that took part: those that messages name, and the conversation's own."""
    return sorted({*spoken_with, npc_id} - {""})
