"""Interrupts: what an agent asks a person before it goes on."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.threads.core import limits
from episodes.threads.models.guards import DELETION_SETTING, within_thread
from episodes.threads.models.threads import Thread
from memoryproject.triggers import moves_between


class InterruptState(models.TextChoices):
    """Where an interrupt stands."""

    OPEN = "open", "Waits"
    APPROVED = "approved", "Answered"
    REJECTED = "rejected", "Rejected"


class ThreadInterrupt(models.Model):
    """A question of an agent, and the one answer to it."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="interrupts", db_index=False)
    ns = models.CharField(max_length=limits.MAX_NAMESPACE_LENGTH, blank=True, db_collation="C")
    checkpoint_id = models.CharField(max_length=limits.MAX_CHECKPOINT_ID_LENGTH, db_collation="C")
    task_id = models.CharField(max_length=limits.MAX_TASK_ID_LENGTH, db_collation="C")
    graph_id = models.CharField(
        max_length=limits.MAX_TASK_ID_LENGTH, help_text="The graph's own id: two questions of one task share it."
    )
    sealed = models.BinaryField(help_text="What is asked, and the schema that an answer fits.")
    answer_sealed = models.BinaryField(null=True, blank=True, help_text="The answer, or why it was rejected.")
    sealed_by = models.PositiveSmallIntegerField(help_text="Key of the ring that seals both.")
    fingerprint = models.BinaryField(max_length=32, help_text="Keyed hash of what is asked: the same is asked once.")
    state = models.CharField(max_length=8, choices=InterruptState, default=InterruptState.OPEN)
    decided_by = models.CharField(max_length=200, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    resumed_at = models.DateTimeField(null=True, blank=True, help_text="When the agent went on.")
    expires_at = models.DateTimeField(help_text="Rejected then, if nobody answered.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=InterruptState.values), name="thread_interrupt_state_known"),
            models.CheckConstraint(
                condition=Q(
                    state=InterruptState.OPEN,
                    decided_at__isnull=True,
                    decided_by="",
                    answer_sealed__isnull=True,
                    resumed_at__isnull=True,
                )
                | ~Q(state=InterruptState.OPEN)
                & Q(decided_at__isnull=False, answer_sealed__isnull=False)
                & ~Q(decided_by=""),
                name="thread_interrupt_decision_whole",
            ),
            # What one task asks is answered before it asks again.
            models.UniqueConstraint(
                fields=["thread", "graph_id"],
                condition=Q(state=InterruptState.OPEN),
                name="thread_interrupt_open_once",
            ),
        ]
        indexes = [
            # For the interrupts of a thread.
            models.Index(fields=["thread", "-id"], name="thread_interrupt_by_thread"),
            # For what waits in a tenant.
            models.Index(
                fields=["tenant", "-id"], condition=Q(state=InterruptState.OPEN), name="thread_interrupt_open"
            ),
            # For what nobody answered in time.
            models.Index(
                fields=["expires_at"], condition=Q(state=InterruptState.OPEN), name="thread_interrupt_by_expiry"
            ),
        ]
        triggers = [
            within_thread("thread_interrupt_same_tenant"),
            moves_between("thread_interrupt", {"open": ["approved", "rejected"]}),
            pgtrigger.Trigger(
                name="thread_interrupt_is_kept",
                operation=pgtrigger.Delete,
                when=pgtrigger.Before,
                func=f"""
                    IF current_setting('{DELETION_SETTING}', TRUE) = 'on' THEN
                        RETURN OLD;
                    END IF;
                    RAISE EXCEPTION 'thread_interrupt_is_kept' USING ERRCODE = 'check_violation';
                """,
            ),
            # One answer: what was decided stays as it is; only that the agent went on is noted, once.
            pgtrigger.Trigger(
                name="thread_interrupt_decided_once",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=~pgtrigger.Q(old__state="open"),
                func="""
                    IF (NEW.state, NEW.decided_by, NEW.decided_at) IS DISTINCT FROM (OLD.state, OLD.decided_by, OLD.decided_at)
                        OR (NEW.answer_sealed IS DISTINCT FROM OLD.answer_sealed AND NEW.sealed_by = OLD.sealed_by)
                        OR (OLD.resumed_at IS NOT NULL AND NEW.resumed_at IS DISTINCT FROM OLD.resumed_at)
                    THEN
                        RAISE EXCEPTION 'thread_interrupt_decided_once' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.state} interrupt of {self.thread}"
