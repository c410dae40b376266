"""At which odds a tenant's proposals are reviewed, and why. The newest row of a tenant holds."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from episodes.models.guards import only_add

_SHARES = ("policy", "accepted_rate", "rejected_rate", "run_rate")


class SamplingRate(models.Model):
    """One setting of the odds, with the figures of the 14 days that it rests on. Added only.

    `versions` and `patterns` are those that the figures are of: whatever is new is reviewed at 1 % again, at once.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    policy = models.FloatField(help_text="The share that is reviewed at least: 0.01 or 0.001.")
    accepted_rate = models.FloatField(help_text="Of proposals that pass the gate.")
    rejected_rate = models.FloatField(help_text="Of those that do not.")
    run_rate = models.FloatField(help_text="Of whole runs, for what was missed.")
    needed = models.PositiveIntegerField(help_text="Reviews that decide.")
    accepted = models.PositiveIntegerField(help_text="Proposals of 14 days that passed the gate.")
    rejected = models.PositiveIntegerField(help_text="Proposals of 14 days that did not.")
    runs = models.PositiveIntegerField(help_text="Runs of 14 days.")
    reviewed = models.PositiveIntegerField(help_text="Labels of 14 days that estimates count.")
    errors = models.PositiveIntegerField()
    ceiling = models.FloatField(help_text="Upper bound of the error rate (95 %), weighted and corrected.")
    versions = ArrayField(models.CharField(max_length=200), default=list, help_text="Models with prompt versions.")
    patterns = models.CharField(max_length=60, blank=True, help_text="The version of the patterns.")
    reason = models.CharField(max_length=500)
    made_by = models.CharField(max_length=150, help_text="A user name, or `service`.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{name}__gt": 0, f"{name}__lte": 1}), name=f"sampling_rate_{name}_range"
                )
                for name in _SHARES
            ),
            models.CheckConstraint(condition=Q(errors__lte=F("reviewed")), name="sampling_rate_errors_of_n"),
            models.CheckConstraint(condition=~Q(reason="") & ~Q(made_by=""), name="sampling_rate_is_told"),
        ]
        indexes = [
            # For the one that holds.
            models.Index(fields=["tenant", "-id"], name="sampling_rate_newest")
        ]
        triggers = [only_add("sampling_rate_append_only", "factcheck_samplingrate")]

    def __str__(self) -> str:
        return f"{self.accepted_rate:.2%}"
