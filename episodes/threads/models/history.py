"""What was done to threads: rollbacks, and receipts of what was deleted."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.threads.core import limits
from episodes.threads.models.guards import only_change, within_thread
from episodes.threads.models.threads import Thread
from memoryproject.triggers import append_only


class ThreadRollback(models.Model):
    """One way of a thread back to a checkpoint, or forward again. It goes with its thread."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="rollbacks", db_index=False)
    target_id = models.CharField(max_length=limits.MAX_CHECKPOINT_ID_LENGTH, help_text="Where it led.")
    before_id = models.CharField(max_length=limits.MAX_CHECKPOINT_ID_LENGTH, help_text="Where the thread stood.")
    play_rollback = models.ForeignKey(
        "episodes.Rollback", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    undone = models.PositiveIntegerField()
    restored = models.PositiveIntegerField()
    reason = models.CharField(max_length=limits.MAX_REASON_LENGTH)
    created_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(reason="") & ~Q(created_by=""), name="thread_rollback_says_who_and_why"
            ),
        ]
        indexes = [models.Index(fields=["thread", "-id"], name="thread_rollback_by_thread")]
        triggers = [
            only_change("thread_rollback_append_only", "episodes_threadrollback"),
            within_thread("thread_rollback_same_tenant"),
        ]

    def __str__(self) -> str:
        return f"rollback to {self.target_id}"


class ThreadReceiptKind(models.TextChoices):
    """Why something of threads was deleted."""

    DELETION = "deletion", "Asked for"
    PRUNE = "prune", "Pruned: older checkpoints"
    RUNS = "runs", "Checkpoints of runs"
    EXPIRY = "expiry", "Unused for longer than its world keeps threads"
    ERASURE = "erasure", "Its user, or a message it may have, was erased or forgotten"


class ThreadReceipt(models.Model):
    """What was deleted, by numbers; the words are gone. Rows are added and never changed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey(
        "tenancy.World", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=8, choices=ThreadReceiptKind)
    counts = models.JSONField(default=dict)
    requested_by = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=ThreadReceiptKind.values), name="thread_receipt_kind_known")
        ]
        indexes = [models.Index(fields=["tenant", "-created_at"], name="thread_receipt_by_tenant")]
        triggers = [append_only("thread_receipt_append_only")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
