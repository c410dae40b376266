"""Puts the sample campaigns and pictures in place: what was played in the sample world, and how it looked."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings

from episodes.actions.art import prepare_card, record_card
from episodes.models import Campaign
from episodes.transfer.campaign_files import load_campaign
from tenancy.models import World


def load_campaigns(world: World, source: Path) -> None:
    """Each campaign of the sample is told; one that is there already stays as it is."""
    for path in sorted((Path(settings.BASE_DIR) / source).glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        named = document["campaign"]["campaign_id"]
        if not Campaign.objects.filter(tenant_id=world.tenant_id, world=world, external_id=named).exists():
            load_campaign(tenant_id=world.tenant_id, world_id=world.pk, document=document)


def load_art(world: World, source: Path) -> None:
    """Each art card of the sample is kept."""
    for content in json.loads((Path(settings.BASE_DIR) / source).read_text(encoding="utf-8")):
        record_card(tenant_id=world.tenant_id, world_id=world.pk, draft=prepare_card(content))
