"""A campaign as one JSON document: all that the engine told, in order. Loading it tells it again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from episodes.campaigns.actions.campaigns import archive_campaign, finish_campaign, open_campaign
from episodes.campaigns.actions.scenes import record_event, record_summary
from episodes.campaigns.core.summaries import parse_event, parse_summary
from episodes.campaigns.selectors.campaigns import get_campaign
from episodes.errors import CampaignExists, InvalidCampaign
from episodes.models import Campaign, CampaignState, EpisodicSummary, EventFact, NpcTold
from episodes.npc_memory.actions import record_hearsay

FORMAT = "memory37-campaign/1"


def export_campaign(*, tenant_id: int, world_id: int, campaign_id: str) -> dict[str, Any]:
    """The campaign with its summaries and events in the order in which they were told, expired ones too.

    What a rollback undid is not in it. Nor are flags, loot and dispositions: they follow from what was told. Raises
    UnknownCampaign.
    """
    campaign = get_campaign(tenant_id=tenant_id, world_id=world_id, campaign_id=campaign_id).campaign
    return {
        "format": FORMAT,
        "campaign": {"campaign_id": campaign.external_id, "title": campaign.title, "state": campaign.state},
        "entries": _list_entries(campaign),
        "told": _list_told(campaign),
    }


def load_campaign(*, tenant_id: int, world_id: int, document: Any) -> Campaign:
    """The campaign of an exported document, told anew in a world that does not have it: all or nothing.

    NPCs whose dispositions moved must be known there. Raises InvalidCampaign and what recording raises.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InvalidCampaign(f"This is no campaign in the form {FORMAT}.")
    with transaction.atomic():
        try:
            campaign = _load(tenant_id, world_id, document)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise InvalidCampaign(f"The file is not whole: {error!r}.") from error
    return campaign


def _load(tenant_id: int, world_id: int, document: Mapping[str, Any]) -> Campaign:
    place = {"tenant_id": tenant_id, "world_id": world_id}
    campaign_id, state = document["campaign"]["campaign_id"], CampaignState(document["campaign"]["state"])
    opened = open_campaign(**place, external_id=campaign_id, title=document["campaign"]["title"])
    if not opened.created:
        raise CampaignExists(f"There is a campaign {campaign_id!r} already.")
    now = timezone.now()
    for entry in document["entries"]:
        body = entry.get("summary", entry.get("event"))
        if body["campaign_id"] != campaign_id:
            raise InvalidCampaign(f"An entry belongs to the campaign {body['campaign_id']!r}.")
        if "summary" in entry:
            record_summary(**place, draft=parse_summary(body, now=now))
        else:
            record_event(**place, draft=parse_event(body, now=now))
    for told in document["told"]:
        record_hearsay(
            **place,
            npc_id=told["npc_id"],
            source=told["source"],
            told_at=dt.datetime.fromisoformat(told["told_at"]),
            summary_id=told.get("summary_id"),
            event_id=told.get("event_id"),
        )
    campaign = opened.campaign
    if state in {CampaignState.FINISHED, CampaignState.ARCHIVED}:
        campaign = finish_campaign(**place, external_id=campaign_id)
    if state == CampaignState.ARCHIVED:
        campaign = archive_campaign(**place, external_id=campaign_id)
    return campaign


def _list_entries(campaign: Campaign) -> list[dict[str, Any]]:
    rows: list[tuple[int, dict[str, Any]]] = []
    summaries = EpisodicSummary.objects.living().filter(tenant_id=campaign.tenant_id, campaign=campaign)
    rows += [(seq, {"summary": body}) for seq, body in summaries.values_list("seq", "body")]
    events = EventFact.objects.living().filter(tenant_id=campaign.tenant_id, campaign=campaign)
    rows += [(seq, {"event": body}) for seq, body in events.values_list("seq", "body")]
    return [entry for _, entry in sorted(rows, key=lambda row: row[0])]


def _list_told(campaign: Campaign) -> list[dict[str, Any]]:
    """What the engine told NPCs outside of scenes; the rest stands in summaries."""
    rows = (
        NpcTold.objects.living()
        .filter(tenant_id=campaign.tenant_id, told_in__isnull=True, hop=0)
        .select_related("summary", "event")
    )
    of_campaign = rows.filter(summary__campaign=campaign) | rows.filter(event__campaign=campaign)
    told = []
    for row in of_campaign.order_by("pk"):
        about = {"event_id": row.event.event_id} if row.event is not None else {"summary_id": row.summary.summary_id}
        told.append({"npc_id": row.npc_id, **about, "source": row.source, "told_at": row.told_at.isoformat()})
    return told
