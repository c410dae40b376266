"""Switches that stop extraction when people or players find it wrong. The newest row of each holds."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from episodes.models.guards import only_add


class BreakerKind(models.TextChoices):
    """What is watched: what reviewers label, or what players deny."""

    REVIEWS = "reviews", "reviewers' labels"
    DENIALS = "denials", "players' denials"


class BreakerState(models.TextChoices):
    """Closed: extraction runs. Open: it rests. Half open: it proposes, everything is reviewed, nothing is written."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class BreakerEvent(models.Model):
    """One change of a breaker, with the figures that it rests on. Added only."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=8, choices=BreakerKind)
    language = models.CharField(max_length=35, blank=True, help_text="Empty: all languages.")
    state = models.CharField(max_length=9, choices=BreakerState)
    n = models.PositiveIntegerField(help_text="Items looked at.")
    errors = models.PositiveIntegerField()
    lower = models.FloatField(help_text="Lower bound of the error rate.")
    upper = models.FloatField(help_text="Upper bound of the error rate.")
    rule = models.CharField(max_length=80, help_text="The rule that decided, by name.")
    prompt_version = models.CharField(max_length=40, blank=True)
    made_by = models.CharField(max_length=150, help_text="A user name, or `service`.")
    reason = models.CharField(max_length=500)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=BreakerKind.values), name="breaker_event_kind_known"),
            models.CheckConstraint(condition=Q(state__in=BreakerState.values), name="breaker_event_state_known"),
            models.CheckConstraint(condition=Q(errors__lte=models.F("n")), name="breaker_event_errors_of_n"),
            models.CheckConstraint(condition=~Q(reason="") & ~Q(made_by=""), name="breaker_event_is_told"),
        ]
        indexes = [models.Index(fields=["tenant", "kind", "language", "-id"], name="breaker_event_newest")]
        triggers = [only_add("breaker_event_append_only", "factcheck_breakerevent")]

    def __str__(self) -> str:
        return f"{self.kind} {self.language}: {self.state}"
