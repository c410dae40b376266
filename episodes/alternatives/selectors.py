"""Reads of alternatives, of what changed with them, and of branches."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from episodes.alternatives.models import MessageChange
from episodes.conversations.selectors.conversations import mask_gone
from episodes.models import Conversation, ConversationAncestor, Message

Trunks = tuple[tuple[int, int], ...]
"""Conversations above a branch, each with the last place that is shared."""


@dataclass(frozen=True, slots=True)
class Line:
    """What is read in one conversation of a tree: its own messages, and those of its trunks up to the forks."""

    conversation_id: int
    ancestors: Trunks
    other_ids: tuple[int, ...]
    """Conversations of the tree of which nothing is read."""


def find_line(*, conversation_id: int, tree_id: int) -> Line:
    """What is read in a conversation of that tree. Two queries."""
    rows = ConversationAncestor.objects.filter(conversation_id=conversation_id).order_by("ancestor_id")
    ancestors = tuple(rows.values_list("ancestor_id", "through_seq"))
    seen = {conversation_id, *(ancestor_id for ancestor_id, _ in ancestors)}
    others = Conversation.objects.filter(tree_id=tree_id).exclude(pk__in=seen).order_by("pk")
    return Line(conversation_id, ancestors, tuple(others.values_list("pk", flat=True)))


def list_trunks(conversation: Conversation) -> Trunks:
    """The trunks of a branch, each with the last place that is shared. No query where it is no branch, else one."""
    if conversation.trunk_id is None:
        return ()
    rows = ConversationAncestor.objects.filter(conversation=conversation).order_by("ancestor_id")
    return tuple(rows.values_list("ancestor_id", "through_seq"))


def find_own_line(conversation: Conversation) -> Line | None:
    """What is read in a conversation besides its own messages; None where it is no branch. No query then, else two."""
    if conversation.trunk_id is None or conversation.tree_id is None:
        return None
    return find_line(conversation_id=conversation.pk, tree_id=conversation.tree_id)


def list_alternatives(message: Message) -> list[Message]:
    """All that ever stood at the place of the message, in the order in which it came. One query. Not to be saved."""
    rows = Message.objects.filter(conversation_id=message.conversation_id, seq=message.seq).order_by("alternative")
    return mask_gone(message.conversation, rows)


def count_alternatives(conversation: Conversation, seqs: Collection[int]) -> dict[int, int]:
    """Place to how many alternatives it holds, of the conversation's own places that hold several. One query."""
    rows = Message.objects.filter(conversation=conversation, seq__in=list(seqs), alternative__gt=0)
    found: dict[int, int] = {}
    for seq in rows.order_by().values_list("seq", flat=True):
        found[seq] = found.get(seq, 1) + 1
    return found


def list_changes(conversation: Conversation, *, limit: int = 50) -> Sequence[MessageChange]:
    """What edits, swipes and choices changed in a conversation, newest first. One query."""
    rows = MessageChange.objects.select_related("deselected", "selected")
    return list(rows.filter(tenant_id=conversation.tenant_id, conversation=conversation).order_by("-pk")[:limit])


def list_branches(conversation: Conversation) -> Sequence[Conversation]:
    """The other conversations of the same tree, in the order in which they branched. One query, none of a lone one."""
    if conversation.tree_id is None:
        return ()
    return list(Conversation.objects.filter(tree_id=conversation.tree_id).exclude(pk=conversation.pk).order_by("pk"))
