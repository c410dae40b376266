"""Facts that wait for more evidence. No context pack tells them."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from factcheck.extraction.models.triggers import belongs_to_user
from knowledge.facts.core.types import GUARANTEED_TYPES, SOFT_TYPES
from knowledge.facts.models import FACT_TYPE_CHOICES
from memoryproject.triggers import moves_between


class CandidateState(models.TextChoices):
    """What became of a candidate; all but `open` and `held` are ends, and `blocked` is one for ever."""

    OPEN = "open"
    HELD = "held", "a taste or a mood: never a fact"
    PROMOTED = "promoted"
    REJECTED = "rejected", "rejected by a person"
    EXPIRED = "expired", "not confirmed in time"
    CONTRADICTED = "contradicted", "the player said otherwise later"
    BLOCKED = "blocked", "denied or forgotten: not to be proposed again"


LIVING_STATES = (CandidateState.OPEN, CandidateState.HELD)
"""In which evidence adds up."""
_TYPES = [*FACT_TYPE_CHOICES, *((each, each.replace("_", " ")) for each in SOFT_TYPES)]


class FactCandidate(models.Model):
    """A fact with too little evidence, or a taste or mood that never is one. One living candidate a (user, type, key,
    value); evidence adds up.

    Key and value are sealed as those of facts are; of a blocked one only keyed hashes are left.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    type = models.CharField(max_length=32, choices=_TYPES)
    key_index = models.BinaryField(max_length=32)
    value_index = models.BinaryField(max_length=32)
    key_sealed = models.BinaryField()
    value_sealed = models.BinaryField()
    sealed_by = models.PositiveSmallIntegerField(help_text="The number of the key of the ring.")
    confidence = models.FloatField(help_text="The highest of its proposals; it promotes nothing by itself.")
    language = models.CharField(max_length=35, blank=True)
    state = models.CharField(max_length=12, choices=CandidateState, default=CandidateState.OPEN)
    fact = models.ForeignKey("knowledge.UserFact", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    prompt_version = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=120, blank=True)
    first_said_at = models.DateTimeField()
    last_said_at = models.DateTimeField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "end_user", "type", "key_index", "value_index"],
                condition=Q(state__in=LIVING_STATES),
                name="fact_candidate_open_unique",
            ),
            models.CheckConstraint(condition=Q(state__in=CandidateState.values), name="fact_candidate_state_known"),
            models.CheckConstraint(
                condition=Q(type__in=[each for each, _ in _TYPES]), name="fact_candidate_type_guaranteed"
            ),
            # What is no fact never becomes one, and what may be one is not held.
            models.CheckConstraint(
                condition=Q(type__in=SOFT_TYPES) & ~Q(state__in=[CandidateState.OPEN, CandidateState.PROMOTED])
                | Q(type__in=list(GUARANTEED_TYPES)) & ~Q(state=CandidateState.HELD),
                name="fact_candidate_soft_is_held",
            ),
            models.CheckConstraint(
                condition=Q(state=CandidateState.PROMOTED, fact__isnull=False)
                | (~Q(state=CandidateState.PROMOTED) & Q(fact__isnull=True)),
                name="fact_candidate_promoted_to_a_fact",
            ),
            models.CheckConstraint(
                condition=Q(key_sealed=b"", value_sealed=b"", state=CandidateState.BLOCKED)
                | (~Q(key_sealed=b"") & ~Q(value_sealed=b"")),
                name="fact_candidate_sealed_unless_blocked",
            ),
        ]
        indexes = [
            # For a user's candidates, and for what blocks a proposal.
            models.Index(fields=["tenant", "end_user", "type", "key_index"], name="fact_candidate_by_key"),
            # For the daily expiry.
            models.Index(fields=["last_said_at"], condition=Q(state__in=LIVING_STATES), name="fact_candidate_expiring"),
        ]
        triggers = [
            belongs_to_user("fact_candidate"),
            moves_between(
                "fact_candidate",
                {
                    "open": ["promoted", "rejected", "expired", "contradicted", "blocked"],
                    "held": ["rejected", "expired", "blocked"],
                    # Forgetting blocks what ended otherwise, too; undoing a run opens what it promoted.
                    "promoted": ["open", "blocked"],
                    "rejected": ["blocked"],
                    "expired": ["blocked"],
                    "contradicted": ["blocked"],
                },
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} #{self.pk}: {self.state}"


class CandidateSupport(models.Model):
    """One message that a candidate rests on. Forgetting the message takes the row away."""

    candidate = models.ForeignKey(FactCandidate, on_delete=models.CASCADE, related_name="supports")
    run = models.ForeignKey("factcheck.ExtractionRun", on_delete=models.PROTECT, related_name="+")
    message_id = models.BigIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    said_at = models.DateTimeField()
    is_independent = models.BooleanField(help_text="Whether it counts beside those before it.")

    class Meta:
        ordering = ["said_at", "message_id"]
        constraints = [
            models.UniqueConstraint(fields=["candidate", "message_id"], name="candidate_support_unique"),
            models.CheckConstraint(condition=Q(end__gt=models.F("start")), name="candidate_support_range"),
        ]
        indexes = [models.Index(fields=["message_id"], name="candidate_support_message")]

    def __str__(self) -> str:
        return f"{self.candidate_id}: {self.message_id}"


class CandidateTransition(models.Model):
    """One change of a candidate's state: by whom, and why. Added only; a blocked candidate's reasons may be forgotten."""

    candidate = models.ForeignKey(FactCandidate, on_delete=models.PROTECT, related_name="transitions")
    old_state = models.CharField(max_length=12, choices=CandidateState)
    new_state = models.CharField(max_length=12, choices=CandidateState)
    made_by = models.CharField(max_length=150, help_text="A user name, or what the service did.")
    reason = models.CharField(max_length=500)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=~Q(reason="") & ~Q(made_by=""), name="candidate_transition_is_told"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="candidate_transition_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                declare=[("kept", "factcheck_candidatetransition")],
                func="""
                    IF TG_OP = 'UPDATE' THEN
                        kept := NEW;
                        IF NEW.reason = '[forgotten]' AND EXISTS (
                            SELECT 1 FROM factcheck_factcandidate c
                            WHERE c.id = OLD.candidate_id AND c.state = 'blocked'
                        ) THEN
                            kept.reason := OLD.reason;
                        END IF;
                        IF kept IS NOT DISTINCT FROM OLD THEN
                            RETURN NEW;
                        END IF;
                    END IF;
                    RAISE EXCEPTION 'candidate_transition_append_only' USING ERRCODE = 'check_violation';
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.old_state} → {self.new_state}"
