"""A summary of talk that left the window of a pack. Derived from living messages alone, and gone with any of them."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length, Now
from django.db.models.lookups import LessThanOrEqual

from episodes.conversations.models import Conversation

MAX_SUMMARY_LENGTH = 1000
"""Characters: 120 tokens of any script stay below."""


class TalkSummary(models.Model):
    """At most 120 tokens about the older part of one talk: a conversation, with an NPC, perhaps in a play session.

    `evidence` are the messages that it rests on, all living and of that conversation; the database refuses others.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="+", db_index=False)
    npc_id = models.CharField(max_length=120, blank=True)
    session_id = models.CharField(max_length=200, blank=True)
    text = models.TextField(blank=True, default="", db_default="")
    evidence = ArrayField(models.BigIntegerField(), default=list, db_default=[])
    through_seq = models.PositiveIntegerField(default=0, db_default=0, help_text="It covers the talk up to this place.")
    tried_seq = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Up to this place a model was asked; beyond `through_seq`: in vain."
    )
    code = models.CharField(max_length=32, blank=True, default="", db_default="", help_text="Why the last try failed.")
    model = models.CharField(max_length=200, blank=True, default="", db_default="")
    prompt_version = models.PositiveSmallIntegerField(help_text="Of config/prompts/*/summary.yaml.")
    claim = models.UUIDField(null=True, editable=False, help_text="The worker that writes it.")
    claimed_until = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # Serves the worker's look-up, too.
            models.UniqueConstraint(fields=["conversation", "npc_id", "session_id"], name="talk_summary_one_a_talk"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("text"), MAX_SUMMARY_LENGTH), name="talk_summary_is_short"
            ),
            models.CheckConstraint(
                condition=Q(text="", evidence=[]) | (~Q(text="") & ~Q(evidence=[])), name="talk_summary_has_evidence"
            ),
            models.CheckConstraint(
                condition=Q(claim__isnull=True, claimed_until__isnull=True)
                | Q(claim__isnull=False, claimed_until__isnull=False),
                name="talk_summary_claim_ends",
            ),
        ]
        indexes = [
            # For the pack of a session, and for an erasure.
            models.Index(fields=["tenant", "end_user", "session_id", "npc_id"], name="talk_summary_by_user"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="talk_summary_of_living_messages",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                declare=[("talk", "episodes_conversation")],
                # Forgetting holds the conversation: it waits for this row, or this row sees what it did.
                func="""
                    SELECT c.* INTO talk FROM episodes_conversation c WHERE c.id = NEW.conversation_id FOR SHARE;
                    IF talk.tenant_id <> NEW.tenant_id OR talk.end_user_id <> NEW.end_user_id THEN
                        RAISE EXCEPTION 'talk_summary_same_user' USING ERRCODE = 'check_violation';
                    END IF;
                    IF talk.trunk_id IS NOT NULL THEN
                        PERFORM 1 FROM episodes_conversation c
                        WHERE c.id IN (
                            SELECT a.ancestor_id FROM episodes_conversationancestor a WHERE a.conversation_id = talk.id
                        )
                        ORDER BY c.id FOR SHARE;
                    END IF;
                    IF EXISTS (
                        SELECT 1 FROM unnest(NEW.evidence) AS proof (id)
                        LEFT JOIN episodes_message m ON m.id = proof.id
                            AND m.forgotten_at IS NULL AND m.is_current AND m.seq > talk.gone_to
                            AND (m.conversation_id = NEW.conversation_id OR EXISTS (
                                SELECT 1 FROM episodes_conversationancestor a
                                WHERE a.conversation_id = NEW.conversation_id AND a.ancestor_id = m.conversation_id
                                    AND m.seq <= a.through_seq
                            ))
                        WHERE m.id IS NULL
                    ) THEN
                        RAISE EXCEPTION 'talk_summary_of_living_messages' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"summary of conversation {self.conversation_id} up to {self.through_seq}"
