"""A conversation branches: what was said up to a place is shared, what follows is the branch's own."""

from __future__ import annotations

from django.db import transaction

from episodes.conversations.actions.conversations import OpenedConversation
from episodes.conversations.actions.messages import find_owner, lock_conversation
from episodes.errors import ConversationTaken, InvalidBranch, MessageForgotten
from episodes.models import Conversation, ConversationAncestor, Message
from knowledge.facts.actions.locks import lock_end_user

MAX_DEPTH = 50
"""Branches of branches: a read of the deepest looks at so many conversations."""


def branch_conversation(
    *, tenant_id: int, conversation_id: int, from_seq: int, external_id: str | None = None, session_id: str = ""
) -> OpenedConversation:
    """A new conversation of the same user, world and NPC that sees the messages up to the place; or the one that
    `external_id` names, if it is that branch.

    A branch never shares its trunk's session: their memories would mix. At a place that the conversation itself shares,
    the branch begins at the trunk that holds the place. What an order took from the trunk is gone in the branch, too.
    Locks the user, then the trunks. Raises UnknownConversation, InvalidBranch,
    MessageForgotten, ConversationTaken.
    """
    end_user_id = find_owner(tenant_id, conversation_id)
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)  # an order sees the branch, or comes before
        asked = lock_conversation(tenant_id=tenant_id, conversation_id=conversation_id)
        trunk = _find_holder(asked, from_seq)
        if external_id is not None:
            known = _find_known(trunk, external_id)
            if known is not None:
                return _check_same(known, trunk, from_seq)
        _check_place(trunk, from_seq)
        depth = trunk.ancestors.count()
        if depth >= MAX_DEPTH:
            raise InvalidBranch(f"Branches of branches go {MAX_DEPTH} deep at most.")
        if session_id and session_id == trunk.session_id:
            raise InvalidBranch("A branch takes a session of its own: memories of two lines would mix.")
        tree_id = trunk.tree_id or trunk.pk
        Conversation.objects.filter(pk=tree_id, tree_id__isnull=True).update(tree_id=tree_id)
        branch = Conversation.objects.create(
            tenant_id=trunk.tenant_id,
            end_user_id=trunk.end_user_id,
            world_id=trunk.world_id,
            external_id=external_id,
            npc_id=trunk.npc_id,
            session_id=session_id,
            user_name=trunk.user_name,
            assistant_name=trunk.assistant_name,
            last_seq=from_seq,
            extracted_to=from_seq,
            trunk=trunk,
            fork_seq=from_seq,
            gone_to=min(trunk.gone_to, from_seq),
            gone_at=trunk.gone_at,
            tree_id=tree_id,
        )
        above = trunk.ancestors.values_list("ancestor_id", "through_seq")
        ConversationAncestor.objects.bulk_create(
            ConversationAncestor(conversation=branch, ancestor_id=ancestor_id, through_seq=min(through, from_seq))
            for ancestor_id, through in [(trunk.pk, from_seq), *above]
        )
    return OpenedConversation(branch, created=True)


def _find_holder(conversation: Conversation, seq: int) -> Conversation:
    """The conversation whose own message stands at the place: itself, or one of its trunks, locked."""
    while conversation.trunk_id is not None and seq <= conversation.fork_seq:
        conversation = lock_conversation(tenant_id=conversation.tenant_id, conversation_id=conversation.trunk_id)
    return conversation


def _check_place(trunk: Conversation, seq: int) -> None:
    if not 1 <= seq <= trunk.last_seq:
        raise InvalidBranch(f"The conversation has no place {seq}: it ends at {trunk.last_seq}.")
    message = Message.objects.filter(conversation=trunk, seq=seq, is_current=True).first()
    if message is None:
        raise InvalidBranch(f"The conversation has no place {seq}.")
    if message.forgotten_at is not None or seq <= trunk.gone_to:
        raise MessageForgotten(f"The message {message.pk} at place {seq} is forgotten.")


def _find_known(trunk: Conversation, external_id: str) -> Conversation | None:
    rows = Conversation.objects.select_related("end_user", "world")
    return rows.filter(tenant_id=trunk.tenant_id, world=trunk.world, external_id=external_id).first()


def _check_same(known: Conversation, trunk: Conversation, seq: int) -> OpenedConversation:
    if (known.trunk_id, known.fork_seq) != (trunk.pk, seq):
        raise ConversationTaken("A conversation with this external_id is not this branch.")
    return OpenedConversation(known, created=False)
