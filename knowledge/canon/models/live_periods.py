"""When each release was live, and by whose hand that began and ended."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge.canon.models.releases import DomainIndex, Release


class MoveKind(models.TextChoices):
    """How `latest` came to point at a release."""

    LOADED = "loaded", "Loaded"
    SWAPPED = "swapped", "Swapped in"
    ROLLED_BACK = "rolled_back", "Rolled back to"


class LivePeriod(models.Model):
    """A stretch of time in which `latest` pointed at a release. The trigger of the alias writes it."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(DomainIndex, on_delete=models.CASCADE, related_name="live_periods", db_index=False)
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="live_periods")
    began_at = models.DateTimeField(db_default=Now())
    began_how = models.CharField(max_length=16, choices=MoveKind)
    began_by = models.CharField(max_length=200, blank=True, help_text="Empty: an operator at the shell.")
    began_why = models.TextField(blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_how = models.CharField(max_length=16, choices=MoveKind, blank=True, help_text="What came in its place.")
    ended_by = models.CharField(max_length=200, blank=True)
    ended_why = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["domain_index"], condition=Q(ended_at__isnull=True), name="live_period_one_open"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_how="")
                | Q(ended_at__isnull=False, ended_at__gte=F("began_at"), ended_how__in=MoveKind.values),
                name="live_period_end_is_whole",
            ),
            models.CheckConstraint(condition=Q(began_how__in=MoveKind.values), name="live_period_began_how_known"),
        ]
        indexes = [
            # For a domain's periods on its board, newest first.
            models.Index(fields=["domain_index", "-id"], name="live_period_newest")
        ]

    def __str__(self) -> str:
        return f"release {self.release_id} from {self.began_at}"

    @property
    def was_rolled_back(self) -> bool:
        """Whether a rollback ended it."""
        return self.ended_how == MoveKind.ROLLED_BACK
