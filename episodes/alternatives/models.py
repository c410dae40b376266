"""What each edit, swipe and choice changed, by ids and counts."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from episodes.conversations.models import Conversation, Message
from memoryproject.triggers import append_only


class ChangeKind(models.TextChoices):
    """What made another alternative of a place current."""

    EDIT = "edit"
    SWIPE = "swipe"
    SELECT = "select"


class MessageChange(models.Model):
    """Another alternative of a place became current, and what followed from that. Never a word; rows stay."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=6, choices=ChangeKind)
    deselected = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="+", db_index=False)
    selected = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="+", db_index=False)
    changed = models.JSONField(help_text="Ids of facts that ended, came back or were added, and counts by store.")
    requested_by = models.CharField(max_length=200, help_text="The API key's prefix, or the person's name.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=ChangeKind.values), name="message_change_kind_known"),
            models.CheckConstraint(condition=~Q(deselected=F("selected")), name="message_change_changes"),
        ]
        indexes = [
            # For what changed in a conversation, newest first.
            models.Index(fields=["tenant", "conversation", "-id"], name="message_change_by_talk"),
        ]
        triggers = [append_only("message_change_append_only")]

    def __str__(self) -> str:
        return f"{self.kind} of message {self.deselected_id}"
