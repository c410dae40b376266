"""What people are to label: drawn in the transaction that wrote it, with the odds by which it was drawn."""

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from episodes.models.guards import only_add
from factcheck.extraction.models.triggers import belongs_to_user


class SampleReason(models.TextChoices):
    """Why an item was drawn. Only `random`, `floor` and `all` enter estimates."""

    RANDOM = "random", "drawn at the stratum's rate"
    FLOOR = "floor", "among the first of a day"
    ALL = "all", "too few to leave any out"
    RISK = "risk", "looks doubtful"
    TRIAL = "trial", "a breaker's trial"


class SampleKind(models.TextChoices):
    """What is labelled: one delta, or a whole run that may have missed something."""

    DELTA = "delta"
    RUN = "run"


class ExtractionSample(models.Model):
    """One item of the reviewers' queue.

    `probability` is the odds by which it was drawn: estimates weigh by its inverse. `stratum` is language, operation and
    prompt version. An item whose words are forgotten is `gone` and leaves the queue at once.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=5, choices=SampleKind)
    run = models.ForeignKey("factcheck.ExtractionRun", on_delete=models.PROTECT, related_name="samples")
    delta = models.ForeignKey(
        "factcheck.ExtractionDelta", on_delete=models.PROTECT, null=True, blank=True, related_name="samples"
    )
    reason = models.CharField(max_length=8, choices=SampleReason)
    probability = models.FloatField()
    stratum = models.CharField(max_length=120)
    language = models.CharField(max_length=35, blank=True)
    is_gone = models.BooleanField(default=False, db_default=False)
    labels_wanted = models.PositiveSmallIntegerField(
        db_default=0, help_text="How many people are to label it: two of one in ten. Set by the database."
    )
    label_count = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="How many of those labels it has. It is open while that is fewer."
    )
    wrong_count = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="How many labels that stand call it wrong: then nothing is written of it."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=SampleKind.DELTA, delta__isnull=False) | Q(kind=SampleKind.RUN, delta__isnull=True),
                name="extraction_sample_kind_fits",
            ),
            models.CheckConstraint(condition=Q(reason__in=SampleReason.values), name="extraction_sample_reason_known"),
            models.CheckConstraint(
                condition=Q(probability__gt=0, probability__lte=1), name="extraction_sample_probability_range"
            ),
            models.CheckConstraint(condition=Q(labels_wanted__in=[1, 2]), name="extraction_sample_labels_wanted"),
            models.UniqueConstraint(
                fields=["delta"], condition=Q(delta__isnull=False), name="extraction_sample_of_a_delta"
            ),
            models.UniqueConstraint(fields=["run"], condition=Q(delta__isnull=True), name="extraction_sample_of_a_run"),
        ]
        indexes = [
            # For the queue: the oldest open item of a reason and language.
            models.Index(
                fields=["tenant", "reason", "language", "label_count", "id"],
                condition=Q(is_gone=False, label_count__lt=F("labels_wanted")),
                name="extraction_sample_open",
            ),
            # For figures of the last days.
            models.Index(fields=["tenant", "stratum", "created_at"], name="extraction_sample_stratum"),
        ]
        triggers = [
            belongs_to_user("extraction_sample"),
            only_add(
                "extraction_sample_append_only",
                "factcheck_extractionsample",
                may_change=("is_gone", "label_count", "wrong_count"),
            ),
            # One in ten, by a hash of the id: the same whoever asks.
            pgtrigger.Trigger(
                name="extraction_sample_overlap",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.labels_wanted = 0 THEN
                        NEW.labels_wanted := 1 + (abs(hashint8extended(NEW.id, 37) % 10) = 0)::int;
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.delta_id or self.run_id}"
