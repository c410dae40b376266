"""Checkpoints of a thread, the values of its channels, and writes that wait for the next step."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.threads.core import limits
from episodes.threads.models.guards import RESEALED, only_change, within_thread
from episodes.threads.models.history import ThreadRollback
from episodes.threads.models.threads import Thread


class ThreadCheckpoint(models.Model):
    """What a thread's state was after a step. Rows are added and never changed, save that a rollback marks them."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="checkpoints", db_index=False)
    ns = models.CharField(
        max_length=limits.MAX_NAMESPACE_LENGTH, blank=True, db_collation="C", help_text="Empty: the root graph."
    )
    checkpoint_id = models.CharField(
        max_length=limits.MAX_CHECKPOINT_ID_LENGTH, db_collation="C", help_text="Later ones sort behind earlier ones."
    )
    parent_id = models.CharField(
        max_length=limits.MAX_CHECKPOINT_ID_LENGTH,
        blank=True,
        db_collation="C",
        help_text="No foreign key: a parent may be pruned.",
    )
    root_id = models.CharField(
        max_length=limits.MAX_CHECKPOINT_ID_LENGTH,
        blank=True,
        help_text="Of a subgraph's, the checkpoint of the root graph under which it ran.",
    )
    generation = models.PositiveIntegerField(
        default=0,
        db_default=0,
        help_text="Which of the writes under it hold: each time it is gone back to, they begin anew.",
    )
    parent_generation = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Which of its parent's writes it was made of."
    )
    step = models.IntegerField(null=True, blank=True)
    source = models.CharField(max_length=40, blank=True)
    run_id = models.CharField(max_length=200, blank=True)
    channels = models.JSONField(default=dict, help_text="Channel to its version and the digest of its value, or null.")
    delta_channels = models.JSONField(
        default=list, help_text="Channels whose value is rebuilt from writes of checkpoints above."
    )
    sealed = models.BinaryField(help_text="The checkpoint and its metadata, compressed and encrypted.")
    sealed_by = models.PositiveSmallIntegerField(help_text="Key of the ring that seals it.")
    tokens = models.JSONField(default=list, help_text="Blind indexes of the metadata, for filters.")
    fingerprint = models.BinaryField(
        max_length=32, help_text="Keyed hash of what was sent: tells a repeat from a clash."
    )
    size = models.PositiveIntegerField(help_text="Bytes of it and its new values as they were sent.")
    play_checkpoint = models.ForeignKey(
        "episodes.Checkpoint",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="Where play of the thread's campaign stood.",
    )
    undone_by = models.ForeignKey(
        ThreadRollback, on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-checkpoint_id"]
        constraints = [
            # Serves the newest of a namespace, and lists.
            models.UniqueConstraint(fields=["thread", "ns", "checkpoint_id"], name="thread_checkpoint_unique"),
            models.CheckConstraint(condition=~Q(checkpoint_id=""), name="thread_checkpoint_id_not_empty"),
            models.CheckConstraint(
                condition=~Q(parent_id=models.F("checkpoint_id")), name="thread_checkpoint_not_its_parent"
            ),
        ]
        indexes = [
            # For the deletion of a run's checkpoints.
            models.Index(fields=["tenant", "run_id"], condition=~Q(run_id=""), name="thread_checkpoint_by_run"),
        ]
        triggers = [
            only_change(
                "thread_checkpoint_append_only", "episodes_threadcheckpoint", "undone_by_id", "generation", *RESEALED
            ),
            within_thread(
                "thread_checkpoint_keeps_together",
                checks=(
                    """NOT EXISTS (
                        SELECT 1 FROM jsonb_each(NEW.channels) c
                        WHERE c.value ->> 1 IS NOT NULL AND NOT EXISTS (
                            SELECT 1 FROM episodes_threadvalue v
                            WHERE v.thread_id = NEW.thread_id AND v.digest = c.value ->> 1
                        )
                    )""",
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.checkpoint_id


class ThreadValue(models.Model):
    """The value of a channel, sealed; one that did not change is stored once, however many checkpoints have it."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="values", db_index=False)
    digest = models.CharField(max_length=32, db_collation="C", help_text="Keyed hash of serializer and bytes.")
    type = models.CharField(max_length=limits.MAX_TYPE_LENGTH)
    sealed = models.BinaryField()
    sealed_by = models.PositiveSmallIntegerField(help_text="Key of the ring that seals it.")
    size = models.PositiveIntegerField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["thread", "digest"], name="thread_value_unique")]
        triggers = [
            only_change("thread_value_append_only", "episodes_threadvalue", *RESEALED),
            within_thread("thread_value_same_tenant"),
        ]

    def __str__(self) -> str:
        return self.digest


class ThreadWrite(models.Model):
    """What a task wrote under a checkpoint. It may come before the checkpoint does: LangGraph sends both at once."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="writes", db_index=False)
    ns = models.CharField(max_length=limits.MAX_NAMESPACE_LENGTH, blank=True, db_collation="C")
    checkpoint_id = models.CharField(max_length=limits.MAX_CHECKPOINT_ID_LENGTH, db_collation="C")
    generation = models.PositiveIntegerField(default=0, db_default=0, help_text="As in its checkpoint.")
    task_id = models.CharField(max_length=limits.MAX_TASK_ID_LENGTH, db_collation="C")
    index = models.IntegerField(
        help_text="Its place among the task's; below zero: a special channel, whose last holds."
    )
    task_path = models.CharField(max_length=limits.MAX_TASK_PATH_LENGTH, blank=True, db_collation="C")
    channel = models.CharField(max_length=limits.MAX_CHANNEL_LENGTH)
    type = models.CharField(max_length=limits.MAX_TYPE_LENGTH)
    sealed = models.BinaryField()
    sealed_by = models.PositiveSmallIntegerField(help_text="Key of the ring that seals it.")
    size = models.PositiveIntegerField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # Serves the writes of a checkpoint.
            models.UniqueConstraint(
                fields=["thread", "ns", "checkpoint_id", "generation", "task_id", "index"], name="thread_write_unique"
            ),
            models.CheckConstraint(condition=~Q(task_id="") & ~Q(channel=""), name="thread_write_says_whose"),
        ]
        triggers = [
            only_change("thread_write_first_holds", "episodes_threadwrite", *RESEALED, condition="OLD.index >= 0"),
            within_thread("thread_write_same_tenant"),
        ]

    def __str__(self) -> str:
        return f"{self.task_id} {self.channel}"
