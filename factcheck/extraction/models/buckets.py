"""How often a proposer was right when it said how sure it was. The newest row of each bucket holds."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from episodes.models.guards import only_add


class ConfidenceBucket(models.Model):
    """One judgement of a bucket, from reviewers' labels: the gate believes none that is not trusted. Added only."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    version = models.CharField(max_length=200, help_text="The model with its prompt version.")
    floor = models.FloatField(help_text="Lower end of the bucket, which is a twentieth wide.")
    n = models.PositiveIntegerField(help_text="Labels.")
    right = models.PositiveIntegerField(help_text="Of them those that found it right.")
    is_trusted = models.BooleanField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(floor__gte=0, floor__lt=1), name="confidence_bucket_floor_range"),
            models.CheckConstraint(condition=Q(right__lte=F("n")), name="confidence_bucket_right_of_n"),
        ]
        indexes = [
            # For the buckets of a version that hold.
            models.Index(fields=["tenant", "version", "floor", "-id"], name="confidence_bucket_newest")
        ]
        triggers = [only_add("confidence_bucket_append_only", "factcheck_confidencebucket")]

    def __str__(self) -> str:
        return f"{self.version} {self.floor:.2f}: {self.right}/{self.n}"
