"""Items of our own with a known answer: they measure reviewers, never players."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from factcheck.extraction.models import SampleKind
from reviews.labelling.core.verdicts import LabelVerdict

_OF_RUNS = [LabelVerdict.MISSED.value, LabelVerdict.NOTHING_MISSED.value]
_OF_DELTAS = [
    LabelVerdict.CORRECT.value,
    LabelVerdict.WRONG_VALUE.value,
    LabelVerdict.WRONG_PERSON.value,
    LabelVerdict.NOT_MEANT.value,
]


class GoldItem(models.Model):
    """Messages that we wrote, what is proposed of them, and the right verdict. All tenants share them.

    A reviewer meets one at most three times within 30 days. `is_planted`: something is wrong with it.
    """

    slug = models.CharField(max_length=60, unique=True)
    language = models.CharField(max_length=35)
    kind = models.CharField(max_length=5, choices=SampleKind)
    content = models.JSONField(help_text="messages, facts and proposal, as in qa/extraction/gold.jsonl.")
    verdict = models.CharField(max_length=16, help_text="The right one.")
    is_planted = models.BooleanField(help_text="Whether an error is planted: a wrong proposal, or something missed.")
    reason = models.CharField(max_length=300, help_text="Why the verdict is right. Shown to no reviewer beforehand.")
    is_retired = models.BooleanField(default=False, help_text="No longer in the file that it came from.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=SampleKind.RUN, verdict__in=_OF_RUNS)
                | Q(kind=SampleKind.DELTA, verdict__in=_OF_DELTAS),
                name="gold_item_verdict_fits",
            ),
            models.CheckConstraint(
                condition=Q(is_planted=False, verdict__in=["correct", "nothing_missed"])
                | (Q(is_planted=True) & ~Q(verdict__in=["correct", "nothing_missed"])),
                name="gold_item_planted_is_wrong",
            ),
            models.CheckConstraint(condition=~Q(reason="") & ~Q(slug=""), name="gold_item_is_told"),
        ]

    def __str__(self) -> str:
        return self.slug
