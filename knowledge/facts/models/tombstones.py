"""What is left of a fact that was deleted or forgotten: the hash of its key, and until when it holds."""

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge.facts.core.types import GUARANTEED_TYPES
from knowledge.facts.models.facts import FACT_TYPE_CHOICES


class FactTombstone(models.Model):
    """What is told from now on and was said up to `holds_to` about this key is not to be known; what is said later is.

    What was told by then counts again once words that were forgotten are out of its way, save what was said up to
    `deleted_to`, when a person deleted or ended the fact.

    It holds a keyed hash and no word. An erasure of the user by law takes it away, too.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    type = models.CharField(max_length=32, choices=FACT_TYPE_CHOICES)
    key_index = models.BinaryField(max_length=32)
    holds_to = models.DateTimeField()
    deleted_to = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # Serves the look-up before a fact is written, and a user's tombstones.
            models.UniqueConstraint(fields=["tenant", "end_user", "type", "key_index"], name="fact_tombstone_unique"),
            models.CheckConstraint(condition=Q(type__in=list(GUARANTEED_TYPES)), name="fact_tombstone_type_guaranteed"),
            models.CheckConstraint(
                condition=Q(deleted_to__isnull=True) | Q(deleted_to__lte=F("holds_to")),
                name="fact_tombstone_deletion_held",
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="fact_tombstone_same_tenant",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id
                    ) THEN
                        RAISE EXCEPTION 'fact_tombstone_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    IF TG_OP = 'UPDATE' AND NEW.holds_to < OLD.holds_to THEN
                        RAISE EXCEPTION 'fact_tombstone_holds_on' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} up to {self.holds_to:%Y-%m-%d}"
