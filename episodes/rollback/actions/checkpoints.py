"""Checkpoints: places of a campaign to which its play can go back."""

from __future__ import annotations

from django.db import transaction

from episodes.campaigns.actions.campaigns import lock_campaign
from episodes.errors import CampaignClosed
from episodes.models import Campaign, CampaignState, Checkpoint, CheckpointKind, Scene


def create_checkpoint(*, tenant_id: int, world_id: int, campaign_id: str, label: str, author: str) -> Checkpoint:
    """A checkpoint of the campaign as it stands. Locks the campaign. Raises UnknownCampaign, CampaignClosed."""
    with transaction.atomic():
        campaign = lock_campaign(tenant_id=tenant_id, world_id=world_id, external_id=campaign_id)
        if campaign.state != CampaignState.ACTIVE:
            raise CampaignClosed(f"The campaign {campaign_id!r} is {campaign.state}: it takes nothing more.")
        return add_checkpoint(campaign, CheckpointKind.ENGINE, label=label, author=author)


def add_checkpoint(
    campaign: Campaign,
    kind: CheckpointKind,
    *,
    label: str,
    author: str,
    scene: Scene | None = None,
    after: Checkpoint | None = None,
) -> Checkpoint:
    """The campaign's new head, below the one of now, or beside `after`, whose past it shares.

    The caller holds the campaign's lock.
    """
    checkpoint = Checkpoint.objects.create(
        tenant_id=campaign.tenant_id,
        campaign=campaign,
        parent_id=campaign.head_id if after is None else after.parent_id,
        kind=kind,
        label=label,
        seq=campaign.last_seq if after is None else after.seq,
        scene=scene,
        created_by=author,
    )
    checkpoint.refresh_from_db(fields=["created_at"])
    campaign.head = checkpoint
    campaign.save(update_fields=["head"])
    return checkpoint
