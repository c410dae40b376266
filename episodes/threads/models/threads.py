"""Threads of agents, and how long a world keeps them."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.threads.core import limits
from episodes.threads.models.guards import DELETION_SETTING
from memoryproject.triggers import keep_together


class ThreadState(models.TextChoices):
    """Where a thread stands."""

    RUNNING = "running", "Running"
    INTERRUPTED = "interrupted", "Waits for a person"
    APPROVED = "approved", "Answered: the agent has not gone on yet"
    REJECTED = "rejected", "Rejected: the agent has not gone on yet"


class WorldThreadPolicy(models.Model):
    """How long threads of a world are kept, and how long they wait for people. A world without a row has the defaults."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.OneToOneField("tenancy.World", on_delete=models.CASCADE, related_name="thread_policy")
    idle_days = models.PositiveSmallIntegerField(
        default=limits.IDLE_DAYS, help_text="Days after which a thread that nobody used is deleted, 1 to 365."
    )
    answer_hours = models.PositiveSmallIntegerField(
        default=limits.ANSWER_HOURS, help_text="Hours for which an interrupt waits before it is rejected, 1 to 720."
    )

    class Meta:
        verbose_name = "thread policy"
        verbose_name_plural = "thread policies"
        constraints = [
            models.CheckConstraint(
                condition=Q(idle_days__gte=limits.MIN_IDLE_DAYS, idle_days__lte=limits.MAX_IDLE_DAYS),
                name="thread_policy_days_in_bounds",
            ),
            models.CheckConstraint(
                condition=Q(answer_hours__gte=limits.MIN_ANSWER_HOURS, answer_hours__lte=limits.MAX_ANSWER_HOURS),
                name="thread_policy_hours_in_bounds",
            ),
        ]
        triggers = [keep_together("thread_policy_same_tenant", {"world_id": ("tenancy_world", ("tenant_id",))})]

    def __str__(self) -> str:
        return f"{self.idle_days} days"


class Thread(models.Model):
    """One line of work of an agent. Its row is the lock under which it is rolled back, pruned and deleted."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey(
        "tenancy.World", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    external_id = models.CharField(max_length=limits.MAX_THREAD_ID_LENGTH, db_collation="C")
    title = models.CharField(max_length=200, blank=True)
    end_user = models.ForeignKey(
        "tenancy.EndUser",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="Whom it is about: it goes when this user is erased.",
    )
    conversation = models.ForeignKey(
        "episodes.Conversation",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="It goes when a message of this conversation is forgotten.",
    )
    campaign = models.ForeignKey(
        "episodes.Campaign",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="A rollback of the thread takes this campaign back, too.",
    )
    state = models.CharField(max_length=12, choices=ThreadState, default=ThreadState.RUNNING)
    used_at = models.DateTimeField(db_default=Now(), editable=False, help_text="Within the hour.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "world", "external_id"], name="thread_external_id_unique", nulls_distinct=False
            ),
            models.CheckConstraint(condition=~Q(external_id=""), name="thread_external_id_not_empty"),
            models.CheckConstraint(condition=Q(state__in=ThreadState.values), name="thread_state_known"),
        ]
        indexes = [
            # For a world's threads, newest first.
            models.Index(fields=["tenant", "world", "-id"], name="thread_by_world"),
            # For those that nobody used for long.
            models.Index(fields=["used_at"], name="thread_by_use"),
            # For what goes with a user, a conversation or a campaign.
            models.Index(fields=["end_user"], condition=Q(end_user__isnull=False), name="thread_by_user"),
            models.Index(fields=["conversation"], condition=Q(conversation__isnull=False), name="thread_by_talk"),
            models.Index(fields=["campaign"], condition=Q(campaign__isnull=False), name="thread_by_campaign"),
        ]
        triggers = [
            keep_together(
                "thread_same_tenant",
                {
                    "world_id": ("tenancy_world", ("tenant_id",)),
                    "end_user_id": ("tenancy_enduser", ("tenant_id",)),
                    "conversation_id": ("episodes_conversation", ("tenant_id", "end_user_id")),
                    "campaign_id": ("episodes_campaign", ("tenant_id", "world_id")),
                },
            ),
            pgtrigger.Trigger(
                name="thread_is_kept",
                operation=pgtrigger.Delete,
                when=pgtrigger.Before,
                func=f"""
                    IF current_setting('{DELETION_SETTING}', TRUE) = 'on' THEN
                        RETURN OLD;
                    END IF;
                    RAISE EXCEPTION 'thread_is_kept' USING ERRCODE = 'check_violation';
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.external_id
