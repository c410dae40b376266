"""NPCs that learn of what they did not see."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from episodes.errors import UnknownEvent, UnknownSummary
from episodes.models import Campaign, EpisodicSummary, EventFact, NpcTold
from tenancy.actions.end_users import lock_known_users

ENGINE = "the engine"
MAX_REASON_LENGTH = 300


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

    Locks the campaign, and the teller, where that is a user, against erasure. Raises UnknownSummary, UnknownEvent.
    """
    with transaction.atomic():
        about = (
            _find_event(tenant_id, world_id, event_id or "")
            if summary_id is None
            else _find_summary(tenant_id, world_id, summary_id)
        )
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=about.campaign_id)
        about.refresh_from_db(fields=["undone_by"])
        if about.undone_by_id is not None:  # by a rollback that this call waited for
            raise _make_unknown(summary_id, event_id)
        lock_known_users(tenant_id=tenant_id, external_ids=[source])
        revoke_rumour(
            NpcTold(
                tenant_id=tenant_id,
                npc_id=npc_id,
                summary=about if isinstance(about, EpisodicSummary) else None,
                event=about if isinstance(about, EventFact) else None,
                source=source,
            )
        )
        told, created = NpcTold.objects.living().get_or_create(
            tenant_id=tenant_id,
            npc_id=npc_id,
            summary=about if isinstance(about, EpisodicSummary) else None,
            event=about if isinstance(about, EventFact) else None,
            defaults={"source": source, "told_at": told_at, "checkpoint_id": campaign.head_id},
        )
    return ToldNpc(told, created)


def revoke_rumour(told: NpcTold) -> None:
    """What the engine is about to tell takes the place of a rumour of the same, if there is one."""
    rumours = NpcTold.objects.living().filter(
        tenant_id=told.tenant_id, npc_id=told.npc_id, summary=told.summary, event=told.event, is_rumour=True
    )
    rumours.update(
        revoked_at=timezone.now(),
        revoked_by=ENGINE,
        revoked_reason=f"told in full by {told.source}"[:MAX_REASON_LENGTH],
    )


def _find_summary(tenant_id: int, world_id: int, summary_id: str) -> EpisodicSummary:
    found = (
        EpisodicSummary.objects.living().filter(tenant_id=tenant_id, world_id=world_id, summary_id=summary_id).first()
    )
    if found is None:
        raise _make_unknown(summary_id, None)
    return found


def _find_event(tenant_id: int, world_id: int, event_id: str) -> EventFact:
    found = EventFact.objects.living().filter(tenant_id=tenant_id, world_id=world_id, event_id=event_id).first()
    if found is None:
        raise _make_unknown(None, event_id)
    return found


def _make_unknown(summary_id: str | None, event_id: str | None) -> UnknownSummary | UnknownEvent:
    if summary_id is not None:
        return UnknownSummary(f"There is no summary {summary_id!r}.")
    return UnknownEvent(f"There is no event {event_id!r}.")
