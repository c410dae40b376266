"""NPCs that learn of what they did not see."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from episodes.errors import UnknownEvent, UnknownSummary
from episodes.models import EpisodicSummary, EventFact, NpcTold
from tenancy.actions.end_users import lock_known_users


@dataclass(frozen=True, slots=True)
class ToldNpc:
    """That an NPC knows of something by hearsay, and whether this call told it."""

    told: NpcTold
    created: bool


def build_npc_items(
    *,
    tenant_id: int,
    world_id: int,
    npc_id: str,
    source: str,
    told_at: dt.datetime,
    summary_id: str | None = None,
    event_id: str | None = None,
) -> ToldNpc:
    """The NPC knows of the summary, or else of the event, from now on. Told twice, the first teller stands.

    Locks the teller, where that is a user, against erasure. Raises UnknownSummary, UnknownEvent.
    """
    summary = None if summary_id is None else _find_summary(tenant_id, world_id, summary_id)
    event = _find_event(tenant_id, world_id, event_id or "") if summary is None else None
    with transaction.atomic():
        lock_known_users(tenant_id=tenant_id, external_ids=[source])
        told, created = NpcTold.objects.get_or_create(
            tenant_id=tenant_id,
            npc_id=npc_id,
            summary=summary,
            event=event,
            defaults={"source": source, "told_at": told_at},
        )
    return ToldNpc(told, created)


def _find_summary(tenant_id: int, world_id: int, summary_id: str) -> EpisodicSummary:
    found = EpisodicSummary.objects.filter(tenant_id=tenant_id, world_id=world_id, summary_id=summary_id).first()
    if found is None:
        raise UnknownSummary(f"There is no summary {summary_id!r}.")
    return found


def _find_event(tenant_id: int, world_id: int, event_id: str) -> EventFact:
    found = EventFact.objects.filter(tenant_id=tenant_id, world_id=world_id, event_id=event_id).first()
    if found is None:
        raise UnknownEvent(f"There is no event {event_id!r}.")
    return found
