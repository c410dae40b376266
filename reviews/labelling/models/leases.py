"""Who has which item open, and who never wants to see which again."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


def _same_tenant(name: str) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name=name,
        operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "sample_id"),
        when=pgtrigger.Before,
        condition=pgtrigger.Q(new__sample__isnull=False),
        func=f"""
            IF NOT EXISTS (
                SELECT 1 FROM factcheck_extractionsample s WHERE s.id = NEW.sample_id AND s.tenant_id = NEW.tenant_id
            ) THEN
                RAISE EXCEPTION '{name}' USING ERRCODE = 'check_violation';
            END IF;
            RETURN NEW;
        """,  # noqa: S608 - the name is ours
    )


class SampleLease(models.Model):
    """A person has an item open. It holds while `expires_at` is ahead: every query compares, nothing sweeps."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    sample = models.ForeignKey(
        "factcheck.ExtractionSample", on_delete=models.PROTECT, null=True, blank=True, related_name="leases",
        db_index=False,
    )  # fmt: skip
    gold = models.ForeignKey(
        "reviews.GoldItem", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    taken_at = models.DateTimeField(db_default=Now())
    heartbeat_at = models.DateTimeField(db_default=Now(), help_text="When the page was last known to be open.")
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Serves "who has it open", too.
            models.UniqueConstraint(fields=["sample", "reviewer"], name="sample_lease_unique"),
            # Serves a reviewer's own open items, too.
            models.UniqueConstraint(fields=["reviewer", "tenant", "sample"], name="sample_lease_by_reviewer"),
            models.UniqueConstraint(fields=["gold", "reviewer", "tenant"], name="sample_lease_of_gold_unique"),
            models.CheckConstraint(
                condition=Q(sample__isnull=False, gold__isnull=True) | Q(sample__isnull=True, gold__isnull=False),
                name="sample_lease_of_one_thing",
            ),
            models.CheckConstraint(condition=Q(expires_at__gte=F("taken_at")), name="sample_lease_ends_later"),
        ]
        triggers = [_same_tenant("sample_lease_same_tenant")]

    def __str__(self) -> str:
        return f"{self.reviewer_id}: {self.sample_id or f'gold {self.gold_id}'}"


class SampleSkip(models.Model):
    """A person does not want to judge an item: it never comes back to them. Others still get it."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    sample = models.ForeignKey(
        "factcheck.ExtractionSample", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    gold = models.ForeignKey(
        "reviews.GoldItem", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sample", "reviewer"], name="sample_skip_unique"),
            models.UniqueConstraint(fields=["gold", "reviewer", "tenant"], name="sample_skip_of_gold_unique"),
            models.CheckConstraint(
                condition=Q(sample__isnull=False, gold__isnull=True) | Q(sample__isnull=True, gold__isnull=False),
                name="sample_skip_of_one_thing",
            ),
        ]
        indexes = [
            # For the count by which gold is mixed in.
            models.Index(fields=["tenant", "reviewer"], name="sample_skip_by_reviewer")
        ]
        triggers = [_same_tenant("sample_skip_same_tenant")]

    def __str__(self) -> str:
        return f"{self.reviewer_id}: {self.sample_id or f'gold {self.gold_id}'}"
