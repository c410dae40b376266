"""The log of what players corrected."""

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge.facts.models.facts import UserFact

FORGOTTEN_REASON = "[forgotten]"
"""What stands in the place of a reason whose fact is erased."""


class CorrectionType(models.TextChoices):
    """What kind of correction it was. Source: seed 002, fix 11."""

    USER_DENIED = "user_denied"
    WRONG_SUBJECT = "wrong_subject"
    OUTDATED = "outdated"
    AMBIGUOUS = "ambiguous"
    CONFIRMED = "confirmed"
    NARROWED = "narrowed"
    RETRACTED = "retracted"
    SUPPORT = "support"


class CorrectionBasis(models.TextChoices):
    """What an end rests on. A `claim` that was only answered with "no" is too little for what protects a person, and so
    is what `layers` alone take a message to say.
    """

    EXPLICIT = "explicit", "an explicit denial of the relation itself"
    CONFIRMED = "confirmed", "a doubt that the player confirmed when asked"
    CLAIM = "claim", "an answer to a claim"
    LAYERS = "layers", "what fitted layers read in the words"
    SUPPORT = "support", "a person's decision"
    RECORDED = "recorded", "decided before the ground was noted"


ENDING_BASES = (
    CorrectionBasis.EXPLICIT,
    CorrectionBasis.CONFIRMED,
    CorrectionBasis.SUPPORT,
    CorrectionBasis.RECORDED,
)
"""Grounds on which what protects a person, or was stated outright, may end."""


class CorrectionOutcome(models.TextChoices):
    """What came of it; `unmatched` sounded like a correction and changed nothing."""

    DEACTIVATED = "deactivated"
    SUPERSEDED = "superseded"
    DISPUTED = "disputed"
    RESTORED = "restored"
    DELETED = "deleted"
    FORGOTTEN = "forgotten"
    UNMATCHED = "unmatched"


class MemoryCorrection(models.Model):
    """One correction: the message that made it, the claim that it was about, and what came of it. Rows stay.

    A reason may quote the fact, so it goes when the fact is erased.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    trigger_message_id = models.BigIntegerField(null=True, blank=True)
    corrected_message_id = models.BigIntegerField(null=True, blank=True)
    fact = models.ForeignKey(UserFact, on_delete=models.PROTECT, null=True, blank=True, related_name="corrections")
    correction_type = models.CharField(max_length=16, choices=CorrectionType)
    outcome = models.CharField(max_length=16, choices=CorrectionOutcome)
    basis = models.CharField(
        max_length=16, choices=CorrectionBasis, blank=True, db_default="", default="", help_text="What an end rests on."
    )
    quote_start = models.PositiveIntegerField(
        null=True, blank=True, help_text="Where the words that correct stand in the message."
    )
    quote_end = models.PositiveIntegerField(null=True, blank=True)
    language = models.CharField(max_length=35, blank=True)
    reason = models.CharField(max_length=500, blank=True, help_text="What the support person gave as the reason.")
    made_by = models.CharField(
        max_length=150, blank=True, db_default="", default="", help_text="The support person's user name."
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(correction_type__in=CorrectionType.values, outcome__in=CorrectionOutcome.values),
                name="memory_correction_words_known",
            ),
            models.CheckConstraint(
                condition=Q(basis__in=["", *CorrectionBasis.values]), name="memory_correction_basis_known"
            ),
            models.CheckConstraint(
                condition=Q(quote_start__isnull=True, quote_end__isnull=True) | Q(quote_end__gte=F("quote_start")),
                name="memory_correction_quote_range",
            ),
            models.CheckConstraint(
                condition=Q(outcome=CorrectionOutcome.UNMATCHED, fact__isnull=True)
                | (~Q(outcome=CorrectionOutcome.UNMATCHED) & Q(fact__isnull=False)),
                name="memory_correction_unmatched_has_no_fact",
            ),
            models.CheckConstraint(
                condition=~Q(correction_type=CorrectionType.AMBIGUOUS, outcome=CorrectionOutcome.DISPUTED)
                | Q(corrected_message_id__isnull=False),
                name="memory_correction_dispute_names_claim",
            ),
            models.CheckConstraint(
                condition=Q(trigger_message_id__isnull=False)
                | (Q(correction_type=CorrectionType.SUPPORT) & ~Q(reason="")),
                name="memory_correction_has_cause",
            ),
        ]
        indexes = [
            # For a user's log, newest first.
            models.Index(fields=["tenant", "end_user", "-id"], name="memory_correction_by_user"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="memory_correction_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                declare=[("kept", "knowledge_memorycorrection")],
                func="""
                    IF TG_OP = 'UPDATE' THEN
                        kept := NEW;
                        IF NEW.reason = '[forgotten]' AND (OLD.fact_id IS NULL OR EXISTS (
                            SELECT 1 FROM knowledge_userfact f WHERE f.id = OLD.fact_id AND f.value_sealed = ''
                        )) THEN
                            kept.reason := OLD.reason;
                        END IF;
                        IF kept IS NOT DISTINCT FROM OLD THEN
                            RETURN NEW;
                        END IF;
                    END IF;
                    RAISE EXCEPTION 'memory_correction_append_only' USING ERRCODE = 'check_violation';
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.correction_type}: {self.outcome}"
