"""What happened between scenes, as far as it was put into words."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from episodes.models import CampaignState, EventFact, Party
from episodes.npc_memory.selectors.knowledge import filter_told_to_npc


@dataclass(frozen=True, slots=True)
class EventView:
    """Something of weight between scenes. `party_id` None: it concerns the whole campaign."""

    event_id: str
    party_id: str | None
    kind: str
    happened_at: dt.datetime
    notes: str


def list_noted_events(party: Party, *, npc_id: str | None = None, limit: int) -> tuple[EventView, ...]:
    """The party's and its campaign's last events that have notes, the one told last first. One query.

    With an NPC only those that it was told of: nobody is present between scenes. An archived campaign has none.
    """
    rows: QuerySet[EventFact] = (
        EventFact.objects.living()
        .select_related("party")
        .filter(Q(party=party) | Q(party__isnull=True), tenant_id=party.tenant_id, campaign_id=party.campaign_id)
        .exclude(notes="")
        .exclude(campaign__state=CampaignState.ARCHIVED)
    )
    if npc_id is not None:
        rows = filter_told_to_npc(rows, tenant_id=party.tenant_id, npc_id=npc_id)
    return tuple(
        EventView(
            event_id=row.event_id,
            party_id=None if row.party is None else row.party.external_id,
            kind=row.kind,
            happened_at=row.happened_at,
            notes=row.notes,
        )
        for row in rows.order_by("-seq")[:limit]
    )
