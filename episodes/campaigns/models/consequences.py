"""What came of play: flags and their history, loot, and which NPC knows of which scene."""

from typing import Self

from django.db import models
from django.db.models import Q

from episodes.campaigns.models.campaigns import Campaign, Party
from episodes.campaigns.models.summaries import EpisodicSummary, EventFact
from episodes.models.guards import only_add
from episodes.rollback.models import LIVING, Checkpoint, PlayQuerySet, PlayRow, guard_play_row
from episodes.sharing.core import MAX_HOPS
from memoryproject.triggers import keep_together


class Flag(models.Model):
    """What a flag is now, for a party or (party empty) for the whole campaign. How it came so is in its changes."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="flags", db_index=False)
    party = models.ForeignKey(
        Party, on_delete=models.PROTECT, null=True, blank=True, related_name="flags", db_index=False
    )
    name = models.CharField(max_length=120)
    value = models.JSONField(help_text="A text, a number or a boolean.")
    is_set = models.BooleanField(
        default=True, db_default=True, help_text="False: a rollback undid all that ever set it."
    )
    set_at = models.DateTimeField(help_text="When what set it happened.")

    class Meta:
        constraints = [
            # Serves the flags of a campaign and of a party in it.
            models.UniqueConstraint(
                fields=["tenant", "campaign", "party", "name"], name="flag_unique", nulls_distinct=False
            ),
            models.CheckConstraint(condition=~Q(name=""), name="flag_name_not_empty"),
        ]
        triggers = [
            keep_together(
                "flag_keeps_together",
                {
                    "campaign_id": ("episodes_campaign", ("tenant_id",)),
                    "party_id": ("episodes_party", ("tenant_id", "campaign_id")),
                },
            )
        ]

    def __str__(self) -> str:
        return self.name


class FlagChange(PlayRow):
    """One setting of a flag, and what set it. Rows are added and never changed, save by rollback."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    flag = models.ForeignKey(Flag, on_delete=models.PROTECT, related_name="changes", db_index=False)
    old_value = models.JSONField(null=True, help_text="Null: it was not set before.")
    new_value = models.JSONField()
    summary = models.ForeignKey(
        EpisodicSummary, on_delete=models.PROTECT, null=True, blank=True, related_name="flag_changes"
    )
    event = models.ForeignKey(EventFact, on_delete=models.PROTECT, null=True, blank=True, related_name="flag_changes")
    happened_at = models.DateTimeField()
    is_late = models.BooleanField(
        default=False, help_text="It was told after something newer, so the flag kept the newer value."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(summary__isnull=True, event__isnull=False) | Q(summary__isnull=False, event__isnull=True),
                name="flag_change_has_one_source",
            )
        ]
        indexes = [
            # For the history of a flag.
            models.Index(fields=["tenant", "flag", "id"], name="flag_change_by_flag"),
            # For the last value, as everyone or one NPC knows it.
            models.Index(
                fields=["tenant", "flag", "-happened_at", "-id"], condition=Q(is_late=False), name="flag_change_in_time"
            ),
        ]
        triggers = [
            keep_together(
                "flag_change_same_tenant",
                {
                    "flag_id": ("episodes_flag", ("tenant_id",)),
                    "summary_id": ("episodes_episodicsummary", ("tenant_id",)),
                    "event_id": ("episodes_eventfact", ("tenant_id",)),
                },
            ),
            guard_play_row("flag_change_of_one_line"),
            only_add("flag_change_append_only", "episodes_flagchange", may_change=("undone_by_id",), names_users=True),
        ]

    def __str__(self) -> str:
        return f"{self.flag_id}: {self.new_value}"


class Loot(models.Model):
    """Something that a party gained in a scene."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    party = models.ForeignKey(Party, on_delete=models.PROTECT, related_name="loot", db_index=False)
    summary = models.ForeignKey(EpisodicSummary, on_delete=models.PROTECT, related_name="loot")
    item_id = models.CharField(max_length=120)
    qty = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "loot"
        constraints = [models.CheckConstraint(condition=Q(qty__gte=1), name="loot_qty_positive")]
        indexes = [
            # For what a party gained.
            models.Index(fields=["tenant", "party"], name="loot_by_party")
        ]
        triggers = [
            keep_together(
                "loot_keeps_together", {"summary_id": ("episodes_episodicsummary", ("tenant_id", "party_id"))}
            ),
            only_add("loot_append_only", "episodes_loot"),
        ]

    def __str__(self) -> str:
        return f"{self.qty} × {self.item_id}"


class NpcPresence(models.Model):
    """An NPC was there when what a summary tells happened."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    summary = models.ForeignKey(EpisodicSummary, on_delete=models.PROTECT, related_name="presences")
    npc_id = models.CharField(max_length=120)

    class Meta:
        constraints = [
            # Serves what an NPC saw.
            models.UniqueConstraint(fields=["tenant", "npc_id", "summary"], name="npc_presence_unique")
        ]
        triggers = [
            keep_together("npc_presence_same_tenant", {"summary_id": ("episodes_episodicsummary", ("tenant_id",))}),
            only_add("npc_presence_append_only", "episodes_npcpresence"),
        ]

    def __str__(self) -> str:
        return f"{self.npc_id} at {self.summary_id}"


class NpcToldQuerySet(PlayQuerySet):
    """What NPCs were told."""

    def living(self) -> Self:
        """What holds now: neither undone by a rollback nor taken back."""
        return super().living().filter(revoked_at__isnull=True)


class NpcTold(PlayRow):
    """An NPC was told of a scene or an event where it was not, by whom and since when: by the engine or by another NPC."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    npc_id = models.CharField(max_length=120)
    summary = models.ForeignKey(
        EpisodicSummary, on_delete=models.PROTECT, null=True, blank=True, related_name="told", help_text="Of what."
    )
    event = models.ForeignKey(
        EventFact, on_delete=models.PROTECT, null=True, blank=True, related_name="told", help_text="Of what."
    )
    source = models.CharField(max_length=120, help_text="Who told it: a player or an NPC.")
    told_in = models.ForeignKey(
        EpisodicSummary,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="told_here",
        help_text="The summary of the scene in which it was told; empty: the engine said so by itself.",
    )
    told_at = models.DateTimeField()
    hop = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="0: the engine said so. Else how far it went."
    )
    is_rumour = models.BooleanField(default=False, db_default=False, help_text="Told as a rumour: it sets no flags.")
    shared_at = models.ForeignKey(
        Checkpoint,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="shares",
        db_index=False,
        help_text="The end of the scene at which NPCs passed it on.",
    )
    via = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="passed_on",
        db_index=False,
        help_text="What the teller itself was told; empty: it was there.",
    )
    replaces = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="replaced_by",
        db_index=False,
        help_text="The rumour whose place it took: it holds again when a rollback undoes this.",
    )
    revoked_at = models.DateTimeField(null=True, blank=True, help_text="Since then the NPC was never told.")
    revoked_by = models.CharField(max_length=200, blank=True, db_default="")
    revoked_reason = models.TextField(blank=True, db_default="")

    objects = NpcToldQuerySet.as_manager()  # type: ignore[misc]  # its own instead of the one of rows of play

    class Meta:
        constraints = [
            # Serves what an NPC was told.
            models.UniqueConstraint(
                fields=["tenant", "npc_id", "summary", "event"],
                condition=LIVING & Q(revoked_at__isnull=True),
                name="npc_told_unique",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=Q(summary__isnull=True, event__isnull=False) | Q(summary__isnull=False, event__isnull=True),
                name="npc_told_of_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(hop=0, shared_at__isnull=True, is_rumour=False)
                | Q(hop__gte=1, hop__lte=MAX_HOPS, shared_at__isnull=False),
                name="npc_told_hops_bounded",
            ),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True, revoked_by="", revoked_reason="")
                | (Q(revoked_at__isnull=False) & ~Q(revoked_by="") & ~Q(revoked_reason="")),
                name="npc_told_revoked_whole",
            ),
        ]
        indexes = [
            # For what was passed on of one telling.
            models.Index(fields=["tenant", "via"], condition=Q(via__isnull=False), name="npc_told_by_via")
        ]
        triggers = [
            keep_together(
                "npc_told_same_tenant",
                {
                    "summary_id": ("episodes_episodicsummary", ("tenant_id",)),
                    "event_id": ("episodes_eventfact", ("tenant_id",)),
                    "told_in_id": ("episodes_episodicsummary", ("tenant_id",)),
                    "shared_at_id": ("episodes_checkpoint", ("tenant_id",)),
                    "via_id": ("episodes_npctold", ("tenant_id",)),
                    "replaces_id": ("episodes_npctold", ("tenant_id", "npc_id")),
                },
            ),
            guard_play_row("npc_told_of_one_line"),
            only_add(
                "npc_told_append_only",
                "episodes_npctold",
                may_change=("undone_by_id", "revoked_at", "revoked_by", "revoked_reason"),
                names_users=True,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.npc_id} by {self.source}"
