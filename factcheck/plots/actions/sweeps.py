"""Chunks that are full are closed, and events that wait are queued, once each."""

from __future__ import annotations

from typing import Any

from episodes.events.actions.plans import plan_events
from episodes.events.actions.staleness import settle_stale_event
from episodes.events.errors import NothingToExtract
from episodes.events.models import EventNode, EventState, EventTrigger
from episodes.events.selectors.due import list_due_conversations, list_due_events
from factcheck.plots.errors import PlotModelMissing
from factcheck.plots.proposers.registry import get_plot_proposer
from memoryproject.celery import find_task
from memoryproject.jobs import PRIORITY_MANUAL, JobMarkers

MAX_CONVERSATIONS = 200
"""Whose chunks one sweep closes; the rest is due in the next."""
MAX_QUEUED = 400
MARKERS = JobMarkers("event")


def close_due_chunks() -> int:
    """How many events were made of talk that nobody has read yet. Each conversation in a transaction of its own."""
    return sum(
        len(plan_events(conversation_id=due.conversation_id, trigger=EventTrigger(due.trigger)))
        for due in list_due_conversations(limit=MAX_CONVERSATIONS)
    )


def queue_due_events(task: Any) -> int:
    """How many events were queued: those that wait, and those whose worker is gone."""
    ready = []
    for due in list_due_events(limit=MAX_QUEUED):
        state = due.state
        if state == EventState.STALE:
            settled = settle_stale_event(due.node_id)
            state = "" if settled is None else settled.state
        if state in (EventState.PENDING, EventState.EXTRACTING):
            ready.append((due.node_id, (str(due.node_id),)))
    return MARKERS.queue(task, ready, limit=MAX_QUEUED)


def extract_now(*, conversation_id: int) -> list[EventNode]:
    """The events of a conversation that are queued before all others: of full chunks, and of the rest.

    Raises NothingToExtract, PlotModelMissing.
    """
    proposer = get_plot_proposer()
    if proposer.name == "openai" and not proposer.model:
        raise PlotModelMissing("EVENTS_PROPOSER asks for a chat model, and none is configured.")
    nodes = plan_events(conversation_id=conversation_id, trigger=EventTrigger.MANUAL)
    waiting = EventNode.objects.filter(conversation_id=conversation_id, state=EventState.PENDING)
    queued = list(waiting.order_by("first_seq")[:MAX_QUEUED])
    if not nodes and not queued:
        raise NothingToExtract("Fewer than 4 messages were said since the last event.")
    for node in queued:
        find_task("factcheck.extract_event").apply_async((str(node.pk),), priority=PRIORITY_MANUAL, retry=False)
    return queued
