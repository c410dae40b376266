"""Wrong proposals that became test cases, without names and numbers."""

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from factcheck.extraction.models.triggers import belongs_to_user


class GoldenCase(models.Model):
    """One line of a golden file, made of a labelled sample: names and numbers are others of their shape.

    It goes with the player's words: forgetting a message of it empties the line for good.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    label = models.OneToOneField("reviews.SampleLabel", on_delete=models.PROTECT, related_name="golden_case")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    language = models.CharField(max_length=35, blank=True)
    line = models.JSONField(null=True, blank=True, help_text="messages, facts, proposal, verdict. Null: forgotten.")
    message_ids = ArrayField(models.BigIntegerField(), default=list)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    forgotten_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(line__isnull=True, forgotten_at__isnull=False)
                | Q(line__isnull=False, forgotten_at__isnull=True),
                name="golden_case_forgotten_or_told",
            ),
        ]
        indexes = [
            # For the export, and for forgetting all of a user.
            models.Index(fields=["tenant", "end_user"], name="golden_case_by_user"),
            # For forgetting: message_ids && ARRAY[…].
            GinIndex(fields=["message_ids"], name="golden_case_messages", fastupdate=False),
        ]
        triggers = [
            belongs_to_user("golden_case"),
            pgtrigger.Trigger(
                name="golden_case_stays_forgotten",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF TG_OP = 'DELETE' OR OLD.line IS NULL OR NEW.line IS NOT NULL THEN
                        RAISE EXCEPTION 'golden_case_stays_forgotten' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"Golden case {self.pk}"
