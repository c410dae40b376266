"""What people decide about events: try again, hide, show, archive now."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from episodes.events.actions.archive import ArchiveReport, archive_conversation
from episodes.events.actions.books import lock_book, lock_event, take_revision
from episodes.events.actions.cards import publish_event
from episodes.events.actions.graph import link_events, unlink_events
from episodes.events.actions.jobs import list_chunk
from episodes.events.errors import EventNotBuffered, EventNotFailed, EventNotShown, UnknownEvent
from episodes.events.models import SHOWN_STATES, EventNode, EventState
from episodes.models import Conversation
from memoryproject.constraints import atomic_write

AGAIN_STATES = (EventState.FAILED, EventState.STALE, EventState.FORGOTTEN)
"""Also what is forgotten, since too little of it stood: a person may want what is left of it read."""


def retry_event(*, tenant_id: int, event_id: UUID) -> EventNode:
    """The event waits to be extracted once more. Raises UnknownEvent, EventNotFailed, EventRangeTaken."""
    with transaction.atomic():
        node = lock_event(event_id)
        if node is None or node.tenant_id != tenant_id:
            raise UnknownEvent(f"There is no event {event_id}.")
        if node.state not in AGAIN_STATES and not (node.state == EventState.PENDING and node.wait_until):
            raise EventNotFailed(f"The event is {node.state}: only what failed, is stale or forgotten is tried again.")
        standing = list_chunk(node)
        if not standing:
            raise EventNotFailed("None of its messages is left.")
        node.state, node.tries, node.outages, node.wait_until = EventState.PENDING, 0, 0, None
        node.error_code = node.error_detail = ""
        node.evidence = [message.pk for message in standing]
        node.updated_at = timezone.now()
        with atomic_write():
            node.save()
    return node


def hide_event(*, tenant_id: int, event_id: UUID, is_hidden: bool) -> EventNode:
    """The event, out of lorebook, search and graph, or in them again. Raises UnknownEvent, EventNotShown.

    An archived one that is shown again gets its vector with the next sweep.
    """
    with transaction.atomic():
        found = EventNode.objects.filter(tenant_id=tenant_id, pk=event_id).first()
        if found is None:
            raise UnknownEvent(f"There is no event {event_id}.")
        book = lock_book(found.conversation_id)
        node = EventNode.objects.select_for_update(no_key=True).get(pk=event_id)
        if node.state not in SHOWN_STATES:
            raise EventNotShown(f"The event is {node.state}: it has no words.")
        if node.is_hidden != is_hidden:
            node.is_hidden = is_hidden
            node.rev = take_revision(book)
            node.updated_at = timezone.now()
            node.save()
            publish_event(node)
            if node.state == EventState.ARCHIVED:
                _update_graph(node)
    return node


def _update_graph(node: EventNode) -> None:
    if node.is_hidden:
        unlink_events([node.pk])
    else:
        link_events([node])


def archive_now(*, tenant_id: int, conversation_ids: list[int]) -> dict[int, ArchiveReport]:
    """Conversation to what became of its buffer. Raises EventNotBuffered where nothing waits in any of them."""
    own = Conversation.objects.filter(tenant_id=tenant_id, pk__in=conversation_ids).order_by("pk")
    reports = {pk: archive_conversation(pk, by_hand=True) for pk in own.values_list("pk", flat=True)}
    if not any(report.archived or report.waiting for report in reports.values()):
        raise EventNotBuffered("No event of the scope waits in the buffer.")
    return reports
