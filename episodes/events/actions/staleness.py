"""What rested on words that are gone: its own words go at once; what is left of its range may be read again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from episodes.events.actions.books import lock_books, lock_event, take_revision
from episodes.events.actions.graph import unlink_events
from episodes.events.actions.jobs import count_range, list_chunk
from episodes.events.actions.passages import unindex_events
from episodes.events.actions.plans import list_witnesses
from episodes.events.actions.proposals import withdraw_proposals
from episodes.events.core.ranges import is_worth_again
from episodes.events.models import EventEdit, EventNode, EventState, EventTrigger
from episodes.models import Conversation, Message
from memoryproject.forgetting.registry import Withdrawal


@dataclass(frozen=True, slots=True)
class WithdrawnEvents:
    """How many events lost their words, and how many vectors went with them."""

    events: int = 0
    vectors: int = 0


def withdraw_events(message_ids: Sequence[int]) -> WithdrawnEvents:
    """Events that rest on one of these messages are stale: without words, out of the index and of the graph.

    Call it under the conversations' locks, once the messages are gone.
    """
    conversations = Message.objects.filter(pk__in=message_ids).values("conversation_id")
    rows = EventNode.objects.filter(conversation_id__in=conversations, evidence__overlap=list(message_ids))
    return _withdraw(rows.values_list("pk", flat=True))


def withdraw_deselected(withdrawal: Withdrawal) -> int:
    """How many events rested on a message that lost its place to another alternative: they are read again."""
    return withdraw_events([withdrawal.deselected_id]).events


def withdraw_events_of(conversation_ids: Collection[int]) -> WithdrawnEvents:
    """The same for all events of conversations that nobody reads any more."""
    return _withdraw(EventNode.objects.filter(conversation_id__in=conversation_ids).values_list("pk", flat=True))


def _withdraw(found: Collection[UUID]) -> WithdrawnEvents:
    ids = list(found)
    if not ids:
        return WithdrawnEvents()
    conversations = set(EventNode.objects.filter(pk__in=ids).values_list("conversation_id", flat=True))
    books = lock_books(conversations)
    nodes = EventNode.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    told = 0
    with transaction.atomic():
        _, vectors = unindex_events(ids)
        unlink_events(ids)
        EventEdit.objects.filter(node_id__in=ids, change__isnull=False).update(change=None)
        withdraw_proposals(ids, with_words=True)
        for node in nodes.exclude(state__in=[EventState.STALE, EventState.FORGOTTEN]):
            told += node.plot is not None
            node.drop_words()
            node.state, node.wait_until = EventState.STALE, None
            node.error_code = node.error_detail = ""
            node.rev = take_revision(books[node.conversation_id])
            node.updated_at = timezone.now()
            node.save()
    return WithdrawnEvents(told, vectors)


def settle_stale_event(node_id: UUID) -> EventNode | None:
    """A stale event waits to be extracted again where enough of its range stands, else it is forgotten."""
    with transaction.atomic():
        node = lock_event(node_id)
        if node is None or node.state != EventState.STALE:
            return node
        return _settle(node)


def _settle(node: EventNode) -> EventNode:
    standing = list_chunk(node)
    node.updated_at = timezone.now()
    if is_worth_again(len(standing), count_range(node)):
        conversation = Conversation.objects.get(pk=node.conversation_id)
        node.state, node.triggered_by, node.tries = EventState.PENDING, EventTrigger.AGAIN, 0
        node.evidence = [message.pk for message in standing]
        node.npc_ids = list_witnesses(conversation.npc_id, [message.npc_id for message in standing])
        if _save_where_free(node):
            return node
        node.evidence = []
    node.state = EventState.FORGOTTEN
    node.save()
    return node


def _save_where_free(node: EventNode) -> bool:
    """Whether nobody else has taken its messages meanwhile."""
    try:
        with transaction.atomic():
            node.save()
    except IntegrityError:
        return False
    return True
