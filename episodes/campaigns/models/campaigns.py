"""Campaigns, their parties and scenes: where play happens."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.rollback.models import LIVING, Checkpoint, PlayRow, guard_play_row
from memoryproject.triggers import keep_together

SUMMARY_TTL_DAYS = 180
MIN_SUMMARY_TTL_DAYS, MAX_SUMMARY_TTL_DAYS = 90, 180


class CampaignState(models.TextChoices):
    """Whether a campaign is played, over, or put away."""

    ACTIVE = "active", "Active: takes summaries and events"
    FINISHED = "finished", "Finished: still found, takes nothing more"
    ARCHIVED = "archived", "Archived: kept, but not found"


class WorldPlayPolicy(models.Model):
    """How long play is remembered in a world. A world without a row keeps to the defaults."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.OneToOneField("tenancy.World", on_delete=models.CASCADE, related_name="play_policy")
    summary_ttl_days = models.PositiveSmallIntegerField(
        default=SUMMARY_TTL_DAYS, help_text="Days after which a summary is no longer found, 90 to 180."
    )

    class Meta:
        verbose_name = "play policy"
        verbose_name_plural = "play policies"
        constraints = [
            models.CheckConstraint(
                condition=Q(summary_ttl_days__gte=MIN_SUMMARY_TTL_DAYS, summary_ttl_days__lte=MAX_SUMMARY_TTL_DAYS),
                name="play_policy_ttl_in_bounds",
            )
        ]
        triggers = [keep_together("play_policy_same_tenant", {"world_id": ("tenancy_world", ("tenant_id",))})]

    def __str__(self) -> str:
        return f"{self.summary_ttl_days} days"


class Campaign(models.Model):
    """One play-through of a world. Its row is the lock under which summaries and events get their place."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    external_id = models.CharField(max_length=120, help_text="The engine's id, unique in the world.")
    title = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=8, choices=CampaignState, default=CampaignState.ACTIVE)
    last_seq = models.PositiveIntegerField(db_default=0, editable=False)
    head = models.ForeignKey(
        Checkpoint,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        db_index=False,
        help_text="What is told now belongs to this checkpoint.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)
    restored_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "world", "external_id"], name="campaign_external_id_unique"),
            models.CheckConstraint(condition=~Q(external_id=""), name="campaign_external_id_not_empty"),
            models.CheckConstraint(condition=Q(state__in=CampaignState.values), name="campaign_state_known"),
            models.CheckConstraint(
                condition=Q(state=CampaignState.ARCHIVED, archived_at__isnull=False)
                | (~Q(state=CampaignState.ARCHIVED) & Q(archived_at__isnull=True)),
                name="campaign_archived_has_time",
            ),
        ]
        indexes = [
            # For a world's campaigns, newest first.
            models.Index(fields=["tenant", "world", "-id"], name="campaign_by_world")
        ]
        triggers = [
            keep_together("campaign_same_tenant", {"world_id": ("tenancy_world", ("tenant_id",))}),
            pgtrigger.Trigger(
                name="campaign_head_is_its_own",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF NEW.head_id IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM episodes_checkpoint c WHERE c.id = NEW.head_id AND c.campaign_id = NEW.id
                    ) THEN
                        RAISE EXCEPTION 'campaign_head_is_its_own' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.external_id


class Party(models.Model):
    """The group that plays a campaign."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, related_name="+", db_index=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="parties", db_index=False)
    external_id = models.CharField(max_length=120, help_text="The engine's id, unique in the world.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "parties"
        constraints = [
            # Serves the look-up of a party by the engine's id.
            models.UniqueConstraint(fields=["tenant", "world", "external_id"], name="party_external_id_unique"),
            models.CheckConstraint(condition=~Q(external_id=""), name="party_external_id_not_empty"),
        ]
        indexes = [
            # For the parties of a campaign.
            models.Index(fields=["tenant", "campaign"], name="party_by_campaign")
        ]
        triggers = [
            keep_together("party_keeps_together", {"campaign_id": ("episodes_campaign", ("tenant_id", "world_id"))})
        ]

    def __str__(self) -> str:
        return self.external_id


class PartyMember(PlayRow):
    """A player who was seen in a party."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="members", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    joined_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # Serves the list of a party's players.
            models.UniqueConstraint(
                fields=["tenant", "party", "end_user"], condition=LIVING, name="party_member_unique"
            )
        ]
        indexes = [
            # For the parties of a player.
            models.Index(fields=["tenant", "end_user"], name="party_member_by_user")
        ]
        triggers = [
            keep_together(
                "party_member_same_tenant",
                {"party_id": ("episodes_party", ("tenant_id",)), "end_user_id": ("tenancy_enduser", ("tenant_id",))},
            ),
            guard_play_row("party_member_of_one_line"),
        ]

    def __str__(self) -> str:
        return f"{self.end_user_id} in {self.party_id}"


class Scene(models.Model):
    """One scene of a party. What happened in it is in its summaries."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="scenes", db_index=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="scenes", db_index=False)
    external_id = models.CharField(max_length=120, help_text="The engine's id, unique in the campaign.")
    location_id = models.CharField(max_length=120, help_text="Where it plays, by its latest summary.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # Serves the look-up of a scene by the engine's id, and the scenes of a campaign.
            models.UniqueConstraint(fields=["tenant", "campaign", "external_id"], name="scene_external_id_unique"),
            models.CheckConstraint(condition=~Q(external_id=""), name="scene_external_id_not_empty"),
        ]
        triggers = [
            keep_together(
                "scene_keeps_together",
                {
                    "campaign_id": ("episodes_campaign", ("tenant_id",)),
                    "party_id": ("episodes_party", ("tenant_id", "campaign_id")),
                },
            )
        ]

    def __str__(self) -> str:
        return self.external_id
