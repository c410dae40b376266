"""Runs of a proposer over a player's messages, what became of each message, and each change that was proposed."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from episodes.models.guards import only_add
from factcheck.extraction.core.deltas import Operation
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models.triggers import belongs_to_user
from memoryproject.jobs import ModelJob
from memoryproject.triggers import moves_between


class RunTrigger(models.TextChoices):
    """Why a run began. Source: seed 002, fix 1B; the last is ours."""

    SESSION_CLOSED = "session_closed", "the session is over"
    PENDING = "pending_15", "many messages wait"
    CRON = "cron", "messages wait for long"
    MANUAL = "manual", "a person asked for it"
    TRIAL_PASSED = "trial_passed", "a breaker has closed"


class RunState(models.TextChoices):
    """How far a run is. A claimed run whose lease ran out is taken up again; its answer, once stored, is never asked for
    twice.
    """

    CLAIMED = "claimed"
    ANSWERED = "answered"
    APPLIED = "applied"
    FAILED = "failed"


OPEN_STATES = (RunState.CLAIMED, RunState.ANSWERED)
"""Of a run that is not over."""


class RunMode(models.TextChoices):
    """What a run may do: propose only, write, or propose for a breaker that tries whether it may close."""

    SHADOW = "shadow"
    ON = "on"
    TRIAL = "trial"


class ExtractionRun(ModelJob):
    """One call of a proposer for one range of a player's messages, and what came of it.

    The counts of messages sum up to `messages` once the run is over: nothing is lost in silence.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    triggered_by = models.CharField(max_length=16, choices=RunTrigger)
    mode = models.CharField(max_length=8, choices=RunMode)
    state = models.CharField(max_length=8, choices=RunState, default=RunState.CLAIMED)
    range_hash = models.BinaryField(max_length=32, help_text="SHA-256 of the messages' ids.")
    conversation_to = models.JSONField(
        default=dict, help_text="Conversation to the place up to which its messages are in the range."
    )
    messages = models.PositiveIntegerField(help_text="Of the player, in the range.")
    extracted = models.PositiveIntegerField(default=0)
    nothing = models.PositiveIntegerField(default=0)
    rejected = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    deltas = models.PositiveIntegerField(default=0)
    deltas_applied = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=1)
    lease_until = models.DateTimeField()
    held_for = models.CharField(  # noqa: DJ001 - null: nothing is held; empty: of all languages
        max_length=35,
        null=True,
        blank=True,
        help_text="The language whose breaker keeps what passed the gate from being written; empty: of all languages.",
    )
    follows = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="followers",
        db_index=False,
        help_text="The run that was held back, whose proposals this one writes.",
    )
    reverted_at = models.DateTimeField(null=True, blank=True)
    reverted_by = models.CharField(max_length=150, blank=True)
    revert_reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            # The same messages are never asked about twice under one version of a prompt, unless the run failed.
            models.UniqueConstraint(
                fields=["tenant", "end_user", "range_hash", "proposer", "prompt_version"],
                condition=~Q(state=RunState.FAILED) & Q(follows__isnull=True),
                name="extraction_run_once",
            ),
            # What was held back is written once.
            models.UniqueConstraint(
                fields=["follows"], condition=~Q(state=RunState.FAILED), name="extraction_run_follows_once"
            ),
            # One run of a player at a time.
            models.UniqueConstraint(
                fields=["end_user"],
                condition=Q(state__in=OPEN_STATES),
                name="extraction_run_one_at_a_time",
            ),
            models.CheckConstraint(condition=Q(state__in=RunState.values), name="extraction_run_state_known"),
            models.CheckConstraint(condition=Q(mode__in=RunMode.values), name="extraction_run_mode_known"),
            models.CheckConstraint(
                condition=Q(triggered_by__in=RunTrigger.values), name="extraction_run_trigger_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=OPEN_STATES, finished_at__isnull=True)
                | Q(
                    finished_at__isnull=False,
                    messages=F("extracted") + F("nothing") + F("rejected") + F("failed"),
                ),
                name="extraction_run_messages_add_up",
            ),
            models.CheckConstraint(
                condition=~Q(state=RunState.FAILED) | (~Q(error_code="") & Q(failed=F("messages"))),
                name="extraction_run_failure_is_told",
            ),
            models.CheckConstraint(
                condition=Q(state=RunState.ANSWERED)
                | Q(answer_sealed=b"")
                | Q(state=RunState.APPLIED, held_for__isnull=False),
                name="extraction_run_keeps_no_answer",
            ),
            models.CheckConstraint(
                condition=Q(held_for__isnull=True) | Q(state=RunState.APPLIED, reverted_at__isnull=True),
                name="extraction_run_held_is_applied",
            ),
            models.CheckConstraint(
                condition=Q(reverted_at__isnull=True) | Q(~Q(reverted_by=""), state=RunState.APPLIED),
                name="extraction_run_reverted_by_somebody",
            ),
        ]
        indexes = [
            # For a player's runs, newest first, and for "one an hour".
            models.Index(fields=["tenant", "end_user", "-id"], name="extraction_run_by_user"),
            # For leases that ran out.
            models.Index(
                fields=["lease_until"],
                condition=Q(state__in=OPEN_STATES),
                name="extraction_run_open",
            ),
            # For what may be written once a breaker closes.
            models.Index(
                fields=["tenant", "held_for", "id"], condition=Q(held_for__isnull=False), name="extraction_run_held"
            ),
            # For volumes, costs and delays of the last days.
            models.Index(fields=["tenant", "created_at"], name="extraction_run_by_time"),
            # For lists by state.
            models.Index(fields=["tenant", "state", "-id"], name="extraction_run_by_state"),
        ]
        triggers = [
            belongs_to_user("extraction_run"),
            moves_between(
                "extraction_run",
                {"claimed": ["answered", "applied", "failed"], "answered": ["applied", "failed"]},
            ),
        ]

    def __str__(self) -> str:
        return f"Run {self.pk}: {self.state}"


class MessageOutcome(models.TextChoices):
    """What a run made of a message."""

    EXTRACTED = "extracted"
    NOTHING = "nothing"
    REJECTED = "rejected"
    FAILED = "failed"


class RunMessage(models.Model):
    """What a run made of one message of the player. The newest row of a message holds."""

    run = models.ForeignKey(ExtractionRun, on_delete=models.CASCADE, related_name="message_rows")
    message_id = models.BigIntegerField()
    outcome = models.CharField(max_length=9, choices=MessageOutcome)
    code = models.CharField(max_length=40, blank=True, help_text="Why it was rejected, or failed.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "message_id"], name="run_message_unique"),
            models.CheckConstraint(
                condition=Q(outcome__in=[MessageOutcome.EXTRACTED, MessageOutcome.NOTHING], code="")
                | (Q(outcome__in=[MessageOutcome.REJECTED, MessageOutcome.FAILED]) & ~Q(code="")),
                name="run_message_outcome_is_told",
            ),
        ]
        indexes = [
            # For what became of a message.
            models.Index(fields=["message_id", "-id"], name="run_message_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.message_id}: {self.outcome}"


class DeltaOutcome(models.TextChoices):
    """What came of a delta. Of a rejected one, `verdict` says why."""

    REJECTED = "rejected"
    SHADOWED = "shadowed", "accepted in a run that writes nothing"
    CANDIDATE = "candidate", "waits for more evidence"
    WRITTEN = "written"
    SUPERSEDED = "superseded", "took the place of another value"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    ENDED = "ended"
    OUTDATED = "outdated", "something later is known"


class ExtractionDelta(models.Model):
    """One proposed change, as it came, with the gate's verdict and what it led to. Added only.

    Words are sealed as those of facts are; forgetting empties them and keeps the verdict.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    run = models.ForeignKey(ExtractionRun, on_delete=models.PROTECT, related_name="delta_rows", db_index=False)
    position = models.PositiveSmallIntegerField()
    operation = models.CharField(max_length=8, choices=[(each.value, each.value.lower()) for each in Operation])
    type = models.CharField(max_length=32)
    subject = models.CharField(max_length=8)
    stance = models.CharField(max_length=8)
    confidence = models.FloatField()
    language = models.CharField(max_length=35, blank=True)
    words_sealed = models.BinaryField(help_text="JSON: key, value, quotes. Empty where it was forgotten.")
    sealed_by = models.PositiveSmallIntegerField(help_text="The number of the key of the ring.")
    evidence = ArrayField(models.BigIntegerField(), default=list, help_text="The messages that it quotes, by id.")
    spans = models.JSONField(default=list, help_text="[message, start, end] of each quote that was found.")
    verdict = models.CharField(
        max_length=32, choices=[(each.value, each.value.replace("_", " ")) for each in VerdictCode]
    )
    detail = models.CharField(max_length=200, blank=True)
    outcome = models.CharField(max_length=10, choices=DeltaOutcome)
    fact = models.ForeignKey(
        "knowledge.UserFact", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    replaced_fact = models.ForeignKey(
        "knowledge.UserFact", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    candidate = models.ForeignKey(
        "factcheck.FactCandidate", on_delete=models.PROTECT, null=True, blank=True, related_name="deltas"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "position"], name="extraction_delta_position"),
            models.CheckConstraint(condition=Q(outcome__in=DeltaOutcome.values), name="extraction_delta_outcome_known"),
            models.CheckConstraint(
                condition=Q(verdict=VerdictCode.ACCEPTED.value) & ~Q(outcome=DeltaOutcome.REJECTED)
                | (~Q(verdict=VerdictCode.ACCEPTED.value) & Q(outcome=DeltaOutcome.REJECTED)),
                name="extraction_delta_verdict_decides",
            ),
        ]
        indexes = [
            # For forgetting: evidence && ARRAY[…].
            GinIndex(fields=["evidence"], name="extraction_delta_evidence", fastupdate=False),
            # For what batch wrote about a fact.
            models.Index(fields=["fact"], condition=Q(fact__isnull=False), name="extraction_delta_fact"),
            models.Index(fields=["tenant", "verdict", "-id"], name="extraction_delta_by_verdict"),
            # For volumes, and for what players denied of what was written, of the last days.
            models.Index(fields=["tenant", "created_at"], name="extraction_delta_by_time"),
        ]
        triggers = [
            belongs_to_user("extraction_delta"),
            only_add(
                "extraction_delta_append_only",
                "factcheck_extractiondelta",
                may_change=("words_sealed", "sealed_by", "detail", "spans", "evidence"),
            ),
            pgtrigger.Trigger(
                name="extraction_delta_stays_empty",
                operation=pgtrigger.UpdateOf("words_sealed"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(old__words_sealed=b"") & ~pgtrigger.Q(new__words_sealed=b""),
                func="RAISE EXCEPTION 'extraction_delta_stays_empty' USING ERRCODE = 'check_violation';",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.type}: {self.verdict}"
