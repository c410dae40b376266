"""How the extraction of events does, as `/status` tells it."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from episodes.events.models import EventState
from episodes.events.selectors.nodes import count_states
from factcheck.plots.proposers.registry import get_plot_proposer


@dataclass(frozen=True, slots=True)
class EventStatus:
    """Counts are of the whole tenant; of a key of one world they are None."""

    enabled: bool
    proposer: str
    description: str
    waiting: int | None
    failed: int | None


def describe_events(*, tenant_id: int, is_world_bound: bool) -> EventStatus:
    """The state of a tenant's events. One query at most."""
    proposer = get_plot_proposer()
    counts = {} if is_world_bound else count_states(tenant_id=tenant_id)
    waiting = sum(counts.get(state, 0) for state in (EventState.PENDING, EventState.EXTRACTING, EventState.STALE))
    return EventStatus(
        enabled=settings.EVENTS_ENABLED,
        proposer=proposer.name,
        description=proposer.describe(),
        waiting=None if is_world_bound else waiting,
        failed=None if is_world_bound else counts.get(EventState.FAILED, 0),
    )
