"""Threads when a player's messages are forgotten, or the player is: their state is opaque, so they go whole."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from episodes.models import Conversation, Message
from episodes.threads.actions.deletion import delete_threads_of_messages, delete_threads_of_user
from memoryproject.forgetting.registry import ErasedUser, Forgotten, Gone


def forget_in_threads(forgotten: Forgotten) -> int:
    """How many threads are gone that may have the words of forgotten messages."""
    messages = Message.objects.filter(tenant_id=forgotten.tenant_id, pk__in=forgotten.message_ids)
    said_in = messages.order_by().values("conversation_id")
    trees = Conversation.objects.filter(pk__in=said_in, tree_id__isnull=False).values("tree_id")
    talks = Conversation.objects.filter(Q(pk__in=said_in) | Q(tree_id__in=trees), tenant_id=forgotten.tenant_id)
    with transaction.atomic():
        count = delete_threads_of_messages(
            tenant_id=forgotten.tenant_id,
            end_user_id=forgotten.end_user_id,
            world_id=forgotten.world_id,
            conversation_ids=list(talks.values_list("pk", flat=True)),
        )
        if forgotten.is_everything:
            count += delete_threads_of_user(
                tenant_id=forgotten.tenant_id, end_user_id=forgotten.end_user_id, world_id=forgotten.world_id
            )
    return count


def erase_threads(gone: Gone) -> int:
    """How many threads about the user are gone, in the transaction that accepts the order."""
    return delete_threads_of_user(tenant_id=gone.tenant_id, end_user_id=gone.end_user_id, world_id=gone.world_id)


def erase_threads_of(erased: ErasedUser) -> int:
    """How many threads about the user are gone, in the transaction that erases."""
    return delete_threads_of_user(tenant_id=erased.tenant_id, end_user_id=erased.end_user_id)
