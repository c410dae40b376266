"""Snippets: a model's index of one long message. Derived, never evidence, and erased with what it was made of."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length, Now
from django.db.models.lookups import LessThanOrEqual

from episodes.conversations.models import Message

MAX_SNIPPET_LENGTH = 120
MIN_SNIPPET_MESSAGE_LENGTH = 200
"""A message of so many characters or fewer is shown whole. Source: seed 002, fix 4B."""


class SnippetState(models.TextChoices):
    """`writing` while a worker holds the message, so that no other one asks a model for it."""

    WRITING = "writing"
    READY = "ready"
    FAILED = "failed"


class MessageSnippet(models.Model):
    """At most 120 characters that say what a long message is about. For finding one's way, never for trust.

    Its text is as open as the message that it was made of, and goes with it: rows of forgotten messages are deleted,
    and none can be written for one.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    message = models.OneToOneField(Message, on_delete=models.PROTECT, related_name="snippet")
    state = models.CharField(max_length=8, choices=SnippetState, default=SnippetState.WRITING)
    text = models.TextField(blank=True, default="", db_default="")
    code = models.CharField(max_length=32, blank=True, default="", db_default="", help_text="Why there is none.")
    model = models.CharField(max_length=200, blank=True, default="", db_default="")
    prompt_version = models.PositiveSmallIntegerField(help_text="Of config/prompts/*/snippet.yaml.")
    claim = models.UUIDField(null=True, editable=False, help_text="The worker that writes it.")
    claimed_until = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=SnippetState.values), name="message_snippet_state_known"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("text"), MAX_SNIPPET_LENGTH), name="message_snippet_is_short"
            ),
            models.CheckConstraint(
                condition=Q(state=SnippetState.READY, code="", claim__isnull=True, claimed_until__isnull=True)
                & ~Q(text="")
                | Q(state=SnippetState.FAILED, text="", claim__isnull=True, claimed_until__isnull=True) & ~Q(code="")
                | Q(state=SnippetState.WRITING, text="", code="", claim__isnull=False, claimed_until__isnull=False),
                name="message_snippet_state_holds",
            ),
        ]
        indexes = [
            # For the list of those that failed.
            models.Index(fields=["tenant", "id"], condition=Q(state="failed"), name="message_snippet_failed"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="snippet_of_living_message",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                declare=[("told", "episodes_message"), ("talk", "episodes_conversation")],
                # Conversation before message, as forgetting locks them: it waits for this row, or this row sees it.
                func="""
                    SELECT c.* INTO talk FROM episodes_conversation c
                        WHERE c.id = (SELECT m.conversation_id FROM episodes_message m WHERE m.id = NEW.message_id)
                        FOR SHARE;
                    SELECT m.* INTO told FROM episodes_message m WHERE m.id = NEW.message_id FOR SHARE;
                    IF told.id IS NULL OR told.tenant_id <> NEW.tenant_id THEN
                        RAISE EXCEPTION 'snippet_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    IF told.forgotten_at IS NOT NULL OR NOT told.is_current OR told.seq <= talk.gone_to THEN
                        RAISE EXCEPTION 'snippet_of_living_message' USING ERRCODE = 'check_violation';
                    END IF;
                    IF length(told.content) <= 200 OR told.role = 'system' OR told.memory_type IN ('fact', 'event') THEN
                        RAISE EXCEPTION 'snippet_of_long_message' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"snippet of message {self.message_id}: {self.state}"
