"""What people were writing and have not saved yet."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

TARGET_PATTERN = r"^(document|item|new):[1-9][0-9]{0,18}$"


class Autosave(models.Model):
    """One person's unsaved form of one article: it comes back after a crash or a lost session."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    target = models.CharField(
        max_length=40, help_text="What is written: document:ID, item:ID, or new:ID with the id of the domain index."
    )
    fields = models.JSONField(help_text="The form as it stood: field name to its values.")
    saved_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            # Serves the look-up of a form's own row, too.
            models.UniqueConstraint(fields=["user", "target"], name="autosave_one_per_form"),
            models.CheckConstraint(condition=Q(target__regex=TARGET_PATTERN), name="autosave_target_form"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.target}"
