"""The append-only log of every transition."""

from django.db import models
from django.db.models.functions import Now

from memoryproject.triggers import append_only


class AuditEntry(models.Model):
    """Who did what to what, why and when. It holds no foreign keys: it outlives its objects."""

    tenant_id = models.BigIntegerField()
    group = models.UUIDField(help_text="Entries of one action share it.")
    action = models.CharField(max_length=64, help_text="For example change_request.approved, release.swapped.")
    object_type = models.CharField(max_length=64)
    object_id = models.CharField(max_length=64)
    object_label = models.CharField(max_length=300)
    actor_type = models.CharField(max_length=16, help_text="user, key or system.")
    actor_id = models.CharField(max_length=64, blank=True)
    actor_label = models.CharField(max_length=200)
    reason = models.TextField(blank=True)
    before = models.CharField(max_length=64, blank=True, help_text="State before.")
    after = models.CharField(max_length=64, blank=True, help_text="State after.")
    details = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name_plural = "audit log"
        ordering = ["-id"]
        indexes = [
            # For the log of one object.
            models.Index(fields=["tenant_id", "object_type", "object_id", "-id"], name="audit_by_object"),
            # For the tenant's whole log, newest first.
            models.Index(fields=["tenant_id", "-id"], name="audit_by_tenant"),
        ]
        triggers = [
            append_only("audit_append_only"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.object_label}"
