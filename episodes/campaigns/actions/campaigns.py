"""Campaigns from their opening to the archive and back."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone
from jsonschema import Draft202012Validator

from episodes.campaigns.actions.passages import index_campaign, queue_summary_embedding
from episodes.campaigns.core.schemas import load_summary_schema
from episodes.errors import CampaignStateConflict, InvalidCampaign, InvalidSummaryTtl, UnknownCampaign
from episodes.models import Campaign, CampaignState, EpisodicSummary, SummaryPassage, WorldPlayPolicy
from memoryproject.constraints import find_constraint

MAX_TITLE_LENGTH = 200


@dataclass(frozen=True, slots=True)
class OpenedCampaign:
    """A campaign, and whether this call opened it."""

    campaign: Campaign
    created: bool


def open_campaign(*, tenant_id: int, world_id: int, external_id: str, title: str = "") -> OpenedCampaign:
    """A new campaign of the world, or the one that the id already names, whatever its state and title.

    Two calls at once get one campaign. Raises InvalidCampaign.
    """
    _check(external_id, title)
    found = Campaign.objects.filter(tenant_id=tenant_id, world_id=world_id, external_id=external_id).first()
    if found is not None:
        return OpenedCampaign(found, created=False)
    campaign = Campaign(tenant_id=tenant_id, world_id=world_id, external_id=external_id, title=title)
    try:
        with transaction.atomic():
            campaign.save(force_insert=True)
    except IntegrityError as error:
        if find_constraint(error) != "campaign_external_id_unique":
            raise
        found = Campaign.objects.get(tenant_id=tenant_id, world_id=world_id, external_id=external_id)
        return OpenedCampaign(found, created=False)
    return OpenedCampaign(campaign, created=True)


def finish_campaign(*, tenant_id: int, world_id: int, external_id: str) -> Campaign:
    """The campaign, over: it is still found but takes nothing more. A finished one stays as it is.

    Locks the campaign. Raises UnknownCampaign, CampaignStateConflict.
    """
    with transaction.atomic():
        campaign = lock_campaign(tenant_id=tenant_id, world_id=world_id, external_id=external_id)
        if campaign.state == CampaignState.FINISHED:
            return campaign
        if campaign.state != CampaignState.ACTIVE:
            raise CampaignStateConflict("An archived campaign is over already; restore it first.")
        campaign.state, campaign.finished_at = CampaignState.FINISHED, timezone.now()
        campaign.save(update_fields=["state", "finished_at"])
        return campaign


def archive_campaign(*, tenant_id: int, world_id: int, external_id: str) -> Campaign:
    """The finished campaign, put away: nothing is lost, nothing of it is found. An archived one stays as it is.

    Locks the campaign. Raises UnknownCampaign, CampaignStateConflict.
    """
    with transaction.atomic():
        campaign = lock_campaign(tenant_id=tenant_id, world_id=world_id, external_id=external_id)
        if campaign.state == CampaignState.ARCHIVED:
            return campaign
        if campaign.state != CampaignState.FINISHED:
            raise CampaignStateConflict("Only a finished campaign can be archived.")
        SummaryPassage.objects.filter(tenant_id=tenant_id, campaign=campaign).delete()
        campaign.state, campaign.archived_at = CampaignState.ARCHIVED, timezone.now()
        campaign.save(update_fields=["state", "archived_at"])
        return campaign


def restore_campaign(*, tenant_id: int, world_id: int, external_id: str) -> Campaign:
    """The campaign in play again, from the archive or from its end; all its summaries are found as if told today.

    Locks the campaign, enqueues its embedding. Raises UnknownCampaign.
    """
    with transaction.atomic():
        campaign = lock_campaign(tenant_id=tenant_id, world_id=world_id, external_id=external_id)
        if campaign.state == CampaignState.ACTIVE:
            return campaign
        campaign.state, campaign.restored_at = CampaignState.ACTIVE, timezone.now()
        campaign.finished_at = campaign.archived_at = None
        campaign.save(update_fields=["state", "restored_at", "finished_at", "archived_at"])
        EpisodicSummary.objects.filter(tenant_id=tenant_id, campaign=campaign, expired_at__isnull=False).update(
            expired_at=None
        )
        if index_campaign(campaign):
            queue_summary_embedding(campaign.pk)
        return campaign


def set_play_policy(*, tenant_id: int, world_id: int, summary_ttl_days: int) -> WorldPlayPolicy:
    """The world's policy as given. Raises InvalidCampaign for days outside of 90 to 180."""
    try:
        with transaction.atomic():
            policy, _ = WorldPlayPolicy.objects.update_or_create(
                tenant_id=tenant_id, world_id=world_id, defaults={"summary_ttl_days": summary_ttl_days}
            )
    except IntegrityError as error:
        raise InvalidSummaryTtl("Summaries are kept for 90 to 180 days.") from error
    return policy


def lock_campaign(*, tenant_id: int, world_id: int, external_id: str) -> Campaign:
    """The world's campaign, locked until the transaction ends. Raises UnknownCampaign."""
    try:
        return Campaign.objects.select_for_update(no_key=True).get(
            tenant_id=tenant_id, world_id=world_id, external_id=external_id
        )
    except Campaign.DoesNotExist:
        raise UnknownCampaign(f"There is no campaign {external_id!r}.") from None


def _check(external_id: str, title: str) -> None:
    form = load_summary_schema()["properties"]["campaign_id"]
    if not Draft202012Validator(form).is_valid(external_id) or not external_id.isprintable():
        raise InvalidCampaign("A campaign's id has 1 to 120 letters, digits and . _ : @ ~ -")
    if len(title) > MAX_TITLE_LENGTH or (title and not title.isprintable()):
        raise InvalidCampaign(f"A title has at most {MAX_TITLE_LENGTH} printable characters.")
