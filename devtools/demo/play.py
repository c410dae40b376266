"""Puts the sample campaigns and pictures in place: what was played in the sample world, and how it looked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from episodes.art.actions.cards import prepare_card, record_card
from episodes.campaigns.actions.scenes import record_event
from episodes.campaigns.core.summaries import parse_event
from episodes.models import Campaign
from episodes.rollback.actions.checkpoints import create_checkpoint
from episodes.rollback.actions.rollbacks import roll_back
from episodes.transfer.campaign_files import load_campaign
from tenancy.models import World

ROLLED_BACK = "seventh-lamp"
ENGINE = "the sample's engine"


def load_campaigns(world: World, source: Path) -> None:
    """Each campaign of the sample is told; one that is there already stays as it is."""
    for path in sorted((Path(settings.BASE_DIR) / source).glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        named = document["campaign"]["campaign_id"]
        if not Campaign.objects.filter(tenant_id=world.tenant_id, world=world, external_id=named).exists():
            load_campaign(tenant_id=world.tenant_id, world_id=world.pk, document=document)
            if named == ROLLED_BACK:
                _roll_back(world, named)


def _roll_back(world: World, campaign_id: str) -> None:
    """A checkpoint, something that went wrong after it, and the way back: all of it is shown on the campaign's page."""
    place: dict[str, Any] = {"tenant_id": world.tenant_id, "world_id": world.pk}
    saved = create_checkpoint(**place, campaign_id=campaign_id, label="Before the lamps are lit again", author=ENGINE)
    body = {
        "event_id": f"{campaign_id}-blown-out",
        "campaign_id": campaign_id,
        "kind": "quest_failed",
        "when": "2026-03-13T21:00:00Z",
        "notes": "A gust from the east put out all seven lamps at once.",
    }
    record_event(**place, draft=parse_event(body, now=timezone.now()))
    roll_back(
        **place,
        campaign_id=campaign_id,
        checkpoint_id=saved.pk,
        reason="The party loaded its saved game",
        author=ENGINE,
    )


def load_art(world: World, source: Path) -> None:
    """Each art card of the sample is kept."""
    for content in json.loads((Path(settings.BASE_DIR) / source).read_text(encoding="utf-8")):
        record_card(tenant_id=world.tenant_id, world_id=world.pk, draft=prepare_card(content))
