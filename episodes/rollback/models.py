"""Checkpoints of a campaign and rollbacks to them: a tree of what was told, of which one line holds."""

from __future__ import annotations

from typing import Any, Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.models.guards import only_add
from memoryproject.triggers import keep_together

MAX_LABEL_LENGTH = 120
MAX_ROLLBACK_REASON_LENGTH = 300
"""With a label it fits into the reason of a move of a disposition: 500 characters."""


class CheckpointKind(models.TextChoices):
    """What made a checkpoint."""

    ENGINE = "engine", "Asked for by the engine or by a person"
    SCENE_END = "scene_end", "A scene ended"
    BEFORE_ROLLBACK = "before_rollback", "A rollback began here: the way back from it"
    AFTER_ROLLBACK = "after_rollback", "A rollback ended here: play goes on from it"


class Checkpoint(models.Model):
    """A place in a campaign's play to which it can go back. Rows are added and never changed.

    What is told belongs to the checkpoint that was the campaign's head then. What holds at a checkpoint belongs to none, or
    to one that stands above it: its parent, the parent of that, and so on.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    campaign = models.ForeignKey(
        "episodes.Campaign", on_delete=models.PROTECT, related_name="checkpoints", db_index=False
    )
    parent = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=16, choices=CheckpointKind)
    label = models.TextField(help_text="At most 120 characters when it comes; a placeholder may make it longer.")
    seq = models.PositiveIntegerField(help_text="The place of the last summary or event told before it.")
    scene = models.ForeignKey(
        "episodes.Scene", on_delete=models.PROTECT, null=True, blank=True, related_name="ends", db_index=False
    )
    created_by = models.CharField(max_length=200, help_text="A key's prefix, a person, or the service.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=CheckpointKind.values), name="checkpoint_kind_known"),
            models.CheckConstraint(condition=~Q(label="") & ~Q(created_by=""), name="checkpoint_says_who_and_what"),
            models.CheckConstraint(
                condition=Q(kind=CheckpointKind.SCENE_END, scene__isnull=False)
                | (~Q(kind=CheckpointKind.SCENE_END) & Q(scene__isnull=True)),
                name="checkpoint_scene_where_it_ended",
            ),
        ]
        indexes = [
            # For the checkpoints of a campaign, newest first.
            models.Index(fields=["tenant", "campaign", "-id"], name="checkpoint_by_campaign")
        ]
        triggers = [
            keep_together(
                "checkpoint_keeps_together",
                {
                    "campaign_id": ("episodes_campaign", ("tenant_id",)),
                    "parent_id": ("episodes_checkpoint", ("tenant_id", "campaign_id")),
                    "scene_id": ("episodes_scene", ("tenant_id", "campaign_id")),
                },
            ),
            only_add("checkpoint_append_only", "episodes_checkpoint", names_users=True),
        ]

    def __str__(self) -> str:
        return self.label


class Rollback(models.Model):
    """One way back, who took it and why. Rows are added and never changed."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    campaign = models.ForeignKey(
        "episodes.Campaign", on_delete=models.PROTECT, related_name="rollbacks", db_index=False
    )
    target = models.ForeignKey(
        Checkpoint, on_delete=models.PROTECT, related_name="+", db_index=False, help_text="Where it led."
    )
    before = models.ForeignKey(
        Checkpoint, on_delete=models.PROTECT, related_name="+", db_index=False, help_text="Where play stood: its undo."
    )
    reason = models.TextField(help_text="At most 300 characters when it comes; a placeholder may make it longer.")
    created_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason="") & ~Q(created_by=""), name="rollback_says_who_and_why"),
            models.CheckConstraint(condition=~Q(target=models.F("before")), name="rollback_leads_elsewhere"),
        ]
        indexes = [
            # For the rollbacks of a campaign, newest first.
            models.Index(fields=["tenant", "campaign", "-id"], name="rollback_by_campaign")
        ]
        triggers = [
            keep_together(
                "rollback_keeps_together",
                {
                    "campaign_id": ("episodes_campaign", ("tenant_id",)),
                    "target_id": ("episodes_checkpoint", ("tenant_id", "campaign_id")),
                    "before_id": ("episodes_checkpoint", ("tenant_id", "campaign_id")),
                },
            ),
            only_add("rollback_append_only", "episodes_rollback", names_users=True),
        ]

    def __str__(self) -> str:
        return f"rollback {self.pk} to {self.target_id}"


class RollbackOutcome(models.Model):
    """How many rows of one kind a rollback undid, restored and changed."""

    rollback = models.ForeignKey(Rollback, on_delete=models.PROTECT, related_name="outcomes", db_index=False)
    kind = models.CharField(max_length=40)
    undone = models.PositiveIntegerField()
    restored = models.PositiveIntegerField()
    changed = models.PositiveIntegerField()

    class Meta:
        constraints = [
            # Serves the outcomes of a rollback.
            models.UniqueConstraint(fields=["rollback", "kind"], name="rollback_outcome_unique"),
        ]
        triggers = [only_add("rollback_outcome_append_only", "episodes_rollbackoutcome")]

    def __str__(self) -> str:
        return f"{self.kind} of rollback {self.rollback_id}"


class PlayQuerySet(models.QuerySet[Any]):
    """Rows of play."""

    def living(self) -> Self:
        """Those that no rollback undid: what holds now."""
        return self.filter(undone_by__isnull=True)


class PlayRow(models.Model):
    """Something of play that a rollback can undo and restore. Readers take `living()`; the rest is kept for audit."""

    checkpoint = models.ForeignKey(
        Checkpoint,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        db_index=False,
        help_text="The campaign's head when this was told; empty: told before its first checkpoint.",
    )
    undone_by = models.ForeignKey(
        Rollback,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        db_index=False,
        help_text="The rollback that undid it; empty: it holds.",
    )

    objects = PlayQuerySet.as_manager()

    class Meta:
        abstract = True


LIVING = Q(undone_by__isnull=True)
"""The condition of rules that concern only what holds: an undone row may stand beside one told anew."""


def guard_play_row(name: str, *shared: str) -> pgtrigger.Trigger:
    """Refuses a row whose checkpoint or rollback differs from it in the tenant or another of the columns named."""
    columns = ("tenant_id", *shared)
    return keep_together(
        name,
        {"checkpoint_id": ("episodes_checkpoint", columns), "undone_by_id": ("episodes_rollback", columns)},
    )
