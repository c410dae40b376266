"""What people said of samples, and of gold items among them."""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from reviews.labelling.core.verdicts import NAMES, LabelVerdict

MAX_COMMENT_LENGTH = 500
MAX_SECONDS = 3600
"""An item that was open for longer was left alone meanwhile: more is no measure of work."""


class SampleLabel(models.Model):
    """One person's verdict on a sample, or on a gold item. Added only: undoing marks it, forgetting empties its comment.

    Estimates read live labels of samples that are neither `is_gold_check` nor `is_late`. `weight` is how far the
    reviewer was trusted at that time, by gold items; 1 where too few of them are known.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    sample = models.ForeignKey(
        "factcheck.ExtractionSample", on_delete=models.PROTECT, null=True, blank=True, related_name="labels"
    )
    gold = models.ForeignKey(
        "reviews.GoldItem", on_delete=models.PROTECT, null=True, blank=True, related_name="labels", db_index=False
    )
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    verdict = models.CharField(
        max_length=16, choices=[(each.value, NAMES[each][0]) for each in LabelVerdict], help_text="What the person saw."
    )
    missed_message_id = models.BigIntegerField(
        null=True, blank=True, help_text="Of `missed`: the message that states what was not found; of gold, its place."
    )
    lease_id = models.BigIntegerField(
        null=True, blank=True, help_text="Under which it was given: a form that is sent twice gives one label."
    )
    comment = models.CharField(max_length=MAX_COMMENT_LENGTH, blank=True)
    is_gold_check = models.BooleanField(default=False)
    is_late = models.BooleanField(
        default=False, help_text="Beyond the labels that the sample wanted: kept, not counted."
    )
    weight = models.FloatField(default=1.0)
    seconds = models.PositiveIntegerField(default=0, help_text="From the first view to the verdict.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    undone_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["sample", "reviewer"],
                condition=Q(undone_at__isnull=True, sample__isnull=False),
                name="sample_label_one_live",
            ),
            models.UniqueConstraint(
                fields=["lease_id"], condition=Q(undone_at__isnull=True), name="sample_label_once_a_lease"
            ),
            models.CheckConstraint(
                condition=Q(verdict__in=[each.value for each in LabelVerdict]), name="sample_label_verdict_known"
            ),
            models.CheckConstraint(
                condition=Q(sample__isnull=False, gold__isnull=True, is_gold_check=False)
                | Q(sample__isnull=True, gold__isnull=False, is_gold_check=True, is_late=False),
                name="sample_label_of_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(verdict=LabelVerdict.MISSED.value, missed_message_id__isnull=False)
                | (~Q(verdict=LabelVerdict.MISSED.value) & Q(missed_message_id__isnull=True)),
                name="sample_label_says_what_was_missed",
            ),
            models.CheckConstraint(condition=Q(weight__gt=0, weight__lte=1), name="sample_label_weight_range"),
            models.CheckConstraint(condition=Q(seconds__lte=MAX_SECONDS), name="sample_label_seconds_range"),
        ]
        indexes = [
            # For a reviewer's last labels: undo, gold among them, who labelled what.
            models.Index(fields=["tenant", "reviewer", "-id"], name="sample_label_by_reviewer"),
            # For figures over the last labels of a tenant.
            models.Index(
                fields=["tenant", "-created_at"], condition=Q(undone_at__isnull=True), name="sample_label_newest"
            ),
            # For how often a reviewer has met each gold item, and how they judged it.
            models.Index(fields=["reviewer", "gold"], condition=Q(gold__isnull=False), name="sample_label_of_gold"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="sample_label_fits",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("item", "record")],
                func="""
                    IF NEW.sample_id IS NOT NULL THEN
                        SELECT s.tenant_id, s.kind, s.is_gone, s.run_id INTO item
                            FROM factcheck_extractionsample s WHERE s.id = NEW.sample_id;
                        IF item.tenant_id IS DISTINCT FROM NEW.tenant_id THEN
                            RAISE EXCEPTION 'sample_label_same_tenant' USING ERRCODE = 'check_violation';
                        END IF;
                        IF item.is_gone THEN
                            RAISE EXCEPTION 'sample_label_not_of_gone' USING ERRCODE = 'check_violation';
                        END IF;
                        IF NEW.missed_message_id IS NOT NULL AND NOT EXISTS (
                            SELECT 1 FROM factcheck_runmessage m
                            WHERE m.run_id = item.run_id AND m.message_id = NEW.missed_message_id
                        ) THEN
                            RAISE EXCEPTION 'sample_label_message_of_run' USING ERRCODE = 'check_violation';
                        END IF;
                    ELSE
                        SELECT g.kind INTO item FROM reviews_golditem g WHERE g.id = NEW.gold_id;
                    END IF;
                    IF (item.kind = 'run' AND NEW.verdict NOT IN ('missed', 'nothing_missed', 'cannot_tell'))
                        OR (item.kind = 'delta' AND NEW.verdict IN ('missed', 'nothing_missed'))
                    THEN
                        RAISE EXCEPTION 'sample_label_fits_kind' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="sample_label_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                declare=[("kept", "reviews_samplelabel")],
                func="""
                    IF TG_OP = 'UPDATE' THEN
                        kept := NEW;
                        IF OLD.undone_at IS NULL THEN
                            kept.undone_at := NULL;
                        END IF;
                        IF NEW.comment = '' THEN
                            kept.comment := OLD.comment;
                        END IF;
                        IF kept IS NOT DISTINCT FROM OLD THEN
                            RETURN NEW;
                        END IF;
                    END IF;
                    RAISE EXCEPTION 'sample_label_append_only' USING ERRCODE = 'check_violation';
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sample_id or f'gold {self.gold_id}'}: {self.verdict}"
