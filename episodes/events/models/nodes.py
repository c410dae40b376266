"""Event nodes: one chunk of a conversation, and what it came to."""

from __future__ import annotations

import uuid
from typing import Any

import pgtrigger
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, BigIntegerRangeField, RangeOperators
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Now

from episodes.conversations.models import Conversation
from episodes.events.core.chunks import MAX_SEQ
from episodes.events.core.plot import MAX_TITLE_LENGTH, Plot, apply_edits, parse_plot
from memoryproject.jobs import ModelJob
from memoryproject.triggers import moves_between


class EventState(models.TextChoices):
    """How far an event is. Source: seed 001, section 2.2; the states of failure are ours."""

    PENDING = "pending", "waits to be extracted"
    EXTRACTING = "extracting", "is being extracted"
    BUFFER = "buffer", "in the lorebook"
    ARCHIVING = "archiving", "in the lorebook, is being archived"
    ARCHIVED = "archived", "archived"
    FAILED = "failed", "could not be extracted"
    STALE = "stale", "rested on words that are gone; waits to be extracted again"
    FORGOTTEN = "forgotten", "rested on words that are gone"


LIVE_STATES = (
    EventState.PENDING,
    EventState.EXTRACTING,
    EventState.BUFFER,
    EventState.ARCHIVING,
    EventState.ARCHIVED,
)
"""In these a node has its messages to itself."""
SHOWN_STATES = (EventState.BUFFER, EventState.ARCHIVING, EventState.ARCHIVED)
"""In these a node has words."""
LEASED_STATES = (EventState.EXTRACTING, EventState.ARCHIVING)
MOVES = {
    "pending": ["extracting", "stale", "forgotten"],
    "extracting": ["buffer", "pending", "failed", "stale", "forgotten"],
    "buffer": ["archiving", "pending", "stale", "forgotten"],
    "archiving": ["archived", "buffer", "stale", "forgotten"],
    "archived": ["buffer", "pending", "stale", "forgotten"],
    "failed": ["pending", "stale", "forgotten"],
    "stale": ["pending", "forgotten"],
    "forgotten": ["pending"],
}


class EventTrigger(models.TextChoices):
    """Why a chunk was closed."""

    COUNT = "count", "enough was said"
    SESSION_CLOSED = "session_closed", "the session is over"
    MANUAL = "manual", "a person asked for it"
    AGAIN = "again", "what it rested on has changed"


class EventNode(ModelJob):
    """One event: 10 to 20 messages in a row, what was extracted from them, and its card.

    The row is the job as well: it waits, is leased, and ends in the lorebook, or in a state that says why not.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    world = models.ForeignKey(
        "tenancy.World", on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="events", db_index=False)
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=EventState, default=EventState.PENDING)
    triggered_by = models.CharField(max_length=16, choices=EventTrigger)
    npc_ids = ArrayField(
        models.CharField(max_length=120), default=list, blank=True, help_text="NPCs that took part: they know of it."
    )
    evidence = ArrayField(models.BigIntegerField(), default=list, help_text="The messages that it rests on, by id.")
    raw_data = models.JSONField(null=True, blank=True, help_text="The extraction as it came.")
    plot = models.JSONField(null=True, blank=True, help_text="What passed the gate of it.")
    refusals = models.JSONField(default=list, blank=True, help_text="What did not, each with a code.")
    spans = models.JSONField(default=dict, blank=True, help_text="Name or keyword to [message, start, end].")
    edit = models.JSONField(null=True, blank=True, help_text="What a person wrote instead.")
    title = models.CharField(max_length=MAX_TITLE_LENGTH, blank=True)
    display_text = models.TextField(blank=True)
    tokens = models.PositiveIntegerField(default=0, help_text="o200k tokens of the card.")
    is_hidden = models.BooleanField(default=False, help_text="Hidden by a person: neither in the lorebook nor found.")
    is_disabled = models.BooleanField(default=False, help_text="Its entry was disabled by hand in the lorebook.")
    rev = models.BigIntegerField(default=0, help_text="Of its conversation's book, when it last changed.")
    batch = models.UUIDField(null=True, blank=True, editable=False, help_text="With which it is archived.")
    tries = models.PositiveSmallIntegerField(default=0)
    outages = models.PositiveSmallIntegerField(default=0, help_text="Of the model, while it waited.")
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)
    wait_until = models.DateTimeField(null=True, blank=True, editable=False, help_text="After an outage of the model.")
    superseded_by = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "event"
        ordering = ["-created_at"]
        constraints = [
            # One chunk belongs to one event. The conversation is part of the range: its index needs no extension.
            ExclusionConstraint(
                name="event_node_range_free",
                expressions=[
                    (
                        Func(
                            F("conversation_id") * Value(MAX_SEQ + 1) + F("first_seq"),
                            F("conversation_id") * Value(MAX_SEQ + 1) + F("last_seq"),
                            Value("[]"),
                            function="int8range",
                            output_field=BigIntegerRangeField(),
                        ),
                        RangeOperators.OVERLAPS,
                    )
                ],
                condition=Q(state__in=LIVE_STATES),
            ),
            models.CheckConstraint(condition=Q(state__in=EventState.values), name="event_node_state_known"),
            models.CheckConstraint(condition=Q(triggered_by__in=EventTrigger.values), name="event_node_trigger_known"),
            models.CheckConstraint(
                condition=Q(first_seq__gte=1, last_seq__gte=F("first_seq")), name="event_node_range_ordered"
            ),
            # Words stand in a shown event alone: what is stale or forgotten has none left.
            models.CheckConstraint(
                condition=Q(state__in=SHOWN_STATES, plot__isnull=False) & ~Q(display_text="") & ~Q(evidence=[])
                | ~Q(state__in=SHOWN_STATES)
                & Q(
                    plot__isnull=True,
                    raw_data__isnull=True,
                    edit__isnull=True,
                    display_text="",
                    title="",
                    spans={},
                    refusals=[],
                ),
                name="event_node_words_where_shown",
            ),
            models.CheckConstraint(
                condition=Q(state__in=LEASED_STATES, lease_until__isnull=False)
                | ~Q(state__in=LEASED_STATES) & Q(lease_until__isnull=True),
                name="event_node_leased_while_worked_on",
            ),
            models.CheckConstraint(
                condition=Q(state=EventState.EXTRACTING) | Q(answer_sealed=b""), name="event_node_keeps_no_answer"
            ),
            models.CheckConstraint(
                condition=Q(state=EventState.FAILED) & ~Q(error_code="") | ~Q(state=EventState.FAILED),
                name="event_node_failure_is_told",
            ),
            models.CheckConstraint(
                condition=Q(state=EventState.ARCHIVED, archived_at__isnull=False)
                | ~Q(state=EventState.ARCHIVED) & Q(archived_at__isnull=True),
                name="event_node_archived_has_time",
            ),
            models.CheckConstraint(
                condition=Q(state=EventState.ARCHIVING, batch__isnull=False)
                | ~Q(state=EventState.ARCHIVING) & Q(batch__isnull=True),
                name="event_node_archiving_has_batch",
            ),
        ]
        indexes = [
            # For a conversation's events in order, and for its book since a revision.
            models.Index(fields=["conversation", "first_seq"], name="event_node_by_conversation"),
            models.Index(fields=["conversation", "rev"], name="event_node_by_rev"),
            # For lists by state, newest first.
            models.Index(fields=["tenant", "state", "-created_at"], name="event_node_by_state"),
            # For what is to be worked off: waiting, or left by a worker that died.
            models.Index(
                fields=["tenant", "created_at"],
                condition=Q(state__in=["pending", "extracting", "stale", "archiving"]),
                name="event_node_open",
            ),
            # For buffers that are full.
            models.Index(
                fields=["conversation"], include=["tokens"], condition=Q(state="buffer"), name="event_node_buffer"
            ),
            # For forgetting and edits: evidence && ARRAY[…].
            GinIndex(fields=["evidence"], name="event_node_evidence", fastupdate=False),
            # For an erasure, and for a user's events by state.
            models.Index(fields=["tenant", "end_user", "state"], name="event_node_by_user"),
        ]
        triggers = [
            moves_between("event_node", MOVES),
            pgtrigger.Trigger(
                name="event_node_of_living_messages",
                operation=pgtrigger.Insert
                | pgtrigger.UpdateOf("state", "evidence", "conversation_id", "tenant_id", "end_user_id", "world_id"),
                when=pgtrigger.Before,
                declare=[("talk", "episodes_conversation")],
                # Forgetting holds the conversation: it waits for this row, or this row sees what it did.
                func="""
                    SELECT c.* INTO talk FROM episodes_conversation c WHERE c.id = NEW.conversation_id FOR SHARE;
                    IF talk.tenant_id <> NEW.tenant_id OR talk.end_user_id <> NEW.end_user_id
                        OR talk.world_id IS DISTINCT FROM NEW.world_id
                    THEN
                        RAISE EXCEPTION 'event_node_same_talk' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.state IN ('buffer', 'archiving', 'archived') AND EXISTS (
                        SELECT 1 FROM unnest(NEW.evidence) AS proof (id)
                        LEFT JOIN episodes_message m ON m.id = proof.id AND m.conversation_id = NEW.conversation_id
                            AND m.forgotten_at IS NULL AND m.is_current AND m.seq > talk.gone_to
                            AND m.seq BETWEEN NEW.first_seq AND NEW.last_seq
                        WHERE m.id IS NULL
                    ) THEN
                        RAISE EXCEPTION 'event_node_of_living_messages' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="event_node_is_kept",
                operation=pgtrigger.Delete,
                when=pgtrigger.Before,
                func="RAISE EXCEPTION 'event_node_is_kept' USING ERRCODE = 'check_violation';",
            ),
        ]

    def __str__(self) -> str:
        return self.title or f"event {self.first_seq}–{self.last_seq} of conversation {self.conversation_id}"

    def read_plot(self) -> Plot | None:
        """The event as it is shown: with what a person wrote instead. None where it has no words."""
        return None if self.plot is None else apply_edits(parse_plot(self.plot), self.edit or {})

    def drop_words(self) -> None:
        """Nothing that was derived from messages stays in the row, which is not saved."""
        for name, empty in _NO_WORDS.items():
            setattr(self, name, empty() if callable(empty) else empty)


_NO_WORDS: dict[str, Any] = {
    "plot": None,
    "raw_data": None,
    "edit": None,
    "display_text": "",
    "title": "",
    "tokens": 0,
    "spans": dict,
    "refusals": list,
    "answer_sealed": b"",
    "sealed_by": 0,
    "evidence": list,
    "lease_until": None,
    "batch": None,
    "archived_at": None,
}
