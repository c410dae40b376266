"""Campaigns, and the scenes and events of play."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.utils import timezone

from episodes.campaigns.actions.campaigns import open_campaign
from episodes.campaigns.actions.scenes import RecordedEvent, RecordedSummary, record_event, record_summary
from episodes.campaigns.core.summaries import parse_event, parse_summary
from episodes.models import Campaign
from tenancy.models import World

START = dt.datetime(2026, 3, 1, 19, tzinfo=dt.UTC)


def make_body(summary_id: str = "sum_1", **more: Any) -> dict[str, Any]:
    """A summary of a bargain on the bridge; `npcs` and `minute` are short for members deeper down."""
    npcs, minute = more.pop("npcs", ["npc_LiShen"]), more.pop("minute", 0)
    return {
        "summary_id": summary_id,
        "campaign_id": "camp_1",
        "party_id": "pty_1",
        "scene_id": "scn_1",
        "when": (START + dt.timedelta(minutes=minute)).isoformat(),
        "who": {"players": ["p_A", "p_B"], "npcs": npcs},
        "where": {"location_id": "loc_moon_bridge", "tags": ["night", "mist"]},
        "what": {"event": "bargain", "outcome": "partial_success"},
        "notes": "The keeper lent the moon key against a promise.",
        **more,
    }


def make_event(event_id: str = "evt_1", **more: Any) -> dict[str, Any]:
    """A quest completed."""
    minute = more.pop("minute", 0)
    when = (START + dt.timedelta(minutes=minute)).isoformat()
    return {"event_id": event_id, "campaign_id": "camp_1", "kind": "quest_completed", "when": when, **more}


def start(world: World, campaign_id: str = "camp_1") -> Campaign:
    """An open campaign."""
    return open_campaign(tenant_id=world.tenant_id, world_id=world.pk, external_id=campaign_id).campaign


def add_scene(world: World, body: dict[str, Any] | None = None, **more: Any) -> RecordedSummary:
    """Record a summary."""
    draft = parse_summary(body or make_body(**more), now=timezone.now())
    return record_summary(tenant_id=world.tenant_id, world_id=world.pk, draft=draft)


def add_event(world: World, **more: Any) -> RecordedEvent:
    """Record an event."""
    draft = parse_event(make_event(**more), now=timezone.now())
    return record_event(tenant_id=world.tenant_id, world_id=world.pk, draft=draft)
