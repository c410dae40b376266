"""Timed effects of a conversation: read as they were before its last place, written after it, let go with its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Min, Q, QuerySet
from django.db.models.functions import Now

from episodes.models import Conversation, ConversationAncestor, Message
from knowledge.facts.actions.locks import lock_end_user
from knowledge.lorebooks.activation.inputs import ActivationDialect
from knowledge.lorebooks.activation.timed_state import TimedState
from memoryproject.forgetting.registry import Forgotten, Gone, Withdrawal
from runtime.models import LorebookState

MAX_STATES = 50
"""Kept for one conversation and dialect. A branch from before the oldest begins with that one, rewound."""


def load_timed_state(conversation: Conversation, dialect: ActivationDialect, *, place: int) -> TimedState:
    """The effects before the place, the last one that is read, so that the same activation twice has the same answer.

    A branch goes on from its trunk as it was at the fork. One query, of a branch two.
    """
    own, shared = Q(conversation=conversation), Q()
    for ancestor_id, through_seq in _list_ancestors(conversation):
        shared |= Q(conversation_id=ancestor_id)
        own |= Q(conversation_id=ancestor_id, seq__lte=through_seq)
    rows = LorebookState.objects.filter(tenant_id=conversation.tenant_id, dialect=dialect.value)
    found = rows.filter(own, seq__lt=place).order_by("-seq", "-conversation_id").values_list("state", flat=True).first()
    if found is not None or not shared:
        return TimedState.from_json(found)
    oldest = rows.filter(shared).order_by("seq").values_list("state", flat=True).first()
    return TimedState.from_json(oldest).rewind(place - 1)


def keep_timed_state(
    conversation: Conversation,
    dialect: ActivationDialect,
    *,
    place: int,
    before: TimedState,
    after: TimedState,
    read_ids: Sequence[int],
) -> bool:
    """Whether the effects are kept as those after the place: not where a message that was read has
    been edited, swiped or forgotten since. Locks the user, as edits and orders do.
    """
    with transaction.atomic():
        lock_end_user(tenant_id=conversation.tenant_id, end_user_id=conversation.end_user_id)
        if Message.objects.living().filter(pk__in=read_ids).count() != len(read_ids):
            return False
        rows = LorebookState.objects.filter(
            tenant_id=conversation.tenant_id, conversation=conversation, dialect=dialect.value
        )
        if after.as_json() == before.as_json():
            rows.filter(seq=place).delete()
            return True
        LorebookState.objects.bulk_create(
            [
                LorebookState(
                    tenant_id=conversation.tenant_id,
                    conversation=conversation,
                    dialect=dialect.value,
                    seq=place,
                    state=after.as_json(),
                    updated_at=Now(),
                )
            ],
            update_conflicts=True,
            unique_fields=["conversation", "dialect", "seq"],
            update_fields=["state", "updated_at"],
        )
        rows.filter(pk__in=rows.order_by("-seq").values_list("pk", flat=True)[MAX_STATES:]).delete()
    return True


def withdraw_timed_states(withdrawal: Withdrawal) -> int:
    """How many states rested on a message that another alternative replaces, in its conversation and its branches."""
    return _delete_from(withdrawal.tenant_id, [(withdrawal.conversation_id, withdrawal.seq)])


def forget_timed_states(forgotten: Forgotten) -> int:
    """How many states rested on forgotten messages."""
    if forgotten.is_everything:
        return _delete_of_user(forgotten.tenant_id, forgotten.end_user_id, forgotten.world_id)
    messages = Message.objects.filter(tenant_id=forgotten.tenant_id, pk__in=forgotten.message_ids)
    places = messages.order_by().values_list("conversation_id").annotate(first=Min("seq"))
    return _delete_from(forgotten.tenant_id, places)


def forget_all_timed_states(gone: Gone) -> int:
    """How many states a user's conversations had; called in the transaction that accepts the order."""
    return _delete_of_user(gone.tenant_id, gone.end_user_id, gone.world_id)


def _list_ancestors(conversation: Conversation) -> list[tuple[int, int]]:
    if conversation.trunk_id is None:
        return []
    rows = ConversationAncestor.objects.filter(conversation=conversation)
    return list(rows.values_list("ancestor_id", "through_seq"))


def _delete_from(tenant_id: int, places: Iterable[tuple[int, int]]) -> int:
    """States of the conversations from these places on, and of branches that share the places."""
    resting = Q()
    for conversation_id, seq in places:
        branches = ConversationAncestor.objects.filter(ancestor_id=conversation_id, through_seq__gte=seq)
        resting |= Q(conversation_id=conversation_id, seq__gte=seq)
        resting |= Q(conversation_id__in=branches.values("conversation_id"))
    return _delete(LorebookState.objects.filter(resting, tenant_id=tenant_id)) if resting else 0


def _delete_of_user(tenant_id: int, end_user_id: int, world_id: int | None) -> int:
    talks = Conversation.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
    if world_id is not None:
        talks = talks.filter(world_id=world_id)
    return _delete(LorebookState.objects.filter(tenant_id=tenant_id, conversation__in=talks.values("pk")))


def _delete(rows: QuerySet[LorebookState]) -> int:
    return rows.delete()[0]
