"""Events as lists and pages read them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from episodes.alternatives.selectors import Trunks
from episodes.events.errors import UnknownEvent
from episodes.events.models import SHOWN_STATES, EventNode
from episodes.models import Message
from tenancy.models import EndUser


def build_line_filter(conversation_id: int, trunks: Trunks = ()) -> Q:
    """The events that are read in a conversation: its own, and those of its trunks that end at or before the forks."""
    found = Q(conversation_id=conversation_id)
    for trunk_id, through_seq in trunks:
        found |= Q(conversation_id=trunk_id, last_seq__lte=through_seq)
    return found


def list_events(
    *,
    tenant_id: int,
    world_id: int | None = None,
    conversation_id: int | None = None,
    trunks: Trunks = (),
    state: str = "",
    after_seq: int = 0,
    limit: int = 50,
) -> list[EventNode]:
    """Events of a conversation in the order of their messages, behind a place; of a world only, where one is named.

    With `trunks` also what a branch shares with these.
    """
    rows = EventNode.objects.filter(tenant_id=tenant_id)
    if world_id is not None:
        rows = rows.filter(world_id=world_id)
    if conversation_id is not None:
        rows = rows.filter(build_line_filter(conversation_id, trunks), first_seq__gt=after_seq)
    if state:
        rows = rows.filter(state=state)
    return list(rows.order_by("first_seq", "created_at")[:limit])


def get_event(*, tenant_id: int, event_id: UUID, world_id: int | None = None) -> EventNode:
    """One event. Raises UnknownEvent."""
    rows = EventNode.objects.filter(tenant_id=tenant_id, pk=event_id)
    if world_id is not None:
        rows = rows.filter(world_id=world_id)
    node = rows.first()
    if node is None:
        raise UnknownEvent(f"There is no event {event_id}.")
    return node


def get_events_by_id(event_ids: Collection[UUID]) -> dict[UUID, EventNode]:
    """Id to event, of those that are still there. One query."""
    return EventNode.objects.in_bulk(list(event_ids))


def list_external_ids(nodes: Sequence[EventNode]) -> dict[int, str]:
    """Players of events to the tenant's own ids. One query."""
    ids = {node.end_user_id for node in nodes}
    return dict(EndUser.objects.filter(pk__in=ids).values_list("pk", "external_id"))


def count_states(*, tenant_id: int | None = None) -> dict[str, int]:
    """How many events are in each state. One query by index."""
    rows: QuerySet[EventNode] = EventNode.objects.all()
    if tenant_id is not None:
        rows = rows.filter(tenant_id=tenant_id)
    return dict(rows.order_by().values_list("state").annotate(n=Count("pk")))


def count_events_of(message_ids: Sequence[int]) -> int:
    """How many events with words rest on one of these messages. One query by index."""
    ids = list(message_ids)
    conversations = Message.objects.filter(pk__in=ids).values("conversation_id")
    rows = EventNode.objects.filter(conversation_id__in=conversations, evidence__overlap=ids)
    return rows.filter(state__in=SHOWN_STATES).count()
