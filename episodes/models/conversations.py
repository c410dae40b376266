"""RAW: conversations and their messages, word for word. Everything else is derived from them."""

from __future__ import annotations

import datetime as dt

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

EARLIEST_SENT_AT = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
"""Nothing was chatted with this service's kind before; a date of 1970 is a clock that was never set."""
CLOCK_SKEW = dt.timedelta(minutes=5)


class MessageRole(models.TextChoices):
    """Who speaks: the player, the model or NPC, or the runtime itself."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class Frame(models.TextChoices):
    """Whether the player speaks as themselves or as their character."""

    OUT_OF_CHARACTER = "out_of_character"
    IN_CHARACTER = "in_character"
    UNKNOWN = "unknown"


class MemoryType(models.TextChoices):
    """What the runtime says a message is about; facts and events are quoted at greater length."""

    FACT = "fact"
    EVENT = "event"
    PREFERENCE = "preference"
    EMOTION = "emotion"
    OTHER = "other"


class Conversation(models.Model):
    """One chat of one end user. Its row is the lock under which messages get their place."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey(
        "tenancy.EndUser", on_delete=models.PROTECT, related_name="conversations", db_index=False
    )
    world = models.ForeignKey("tenancy.World", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    external_id = models.CharField(max_length=200, null=True, blank=True, help_text="The tenant's own id.")  # noqa: DJ001 - unique where given
    npc_id = models.CharField(max_length=120, blank=True)
    session_id = models.CharField(max_length=200, blank=True)
    user_name = models.CharField(
        max_length=80, blank=True, db_default="", help_text="What the player is called: questions name speakers."
    )
    assistant_name = models.CharField(
        max_length=200,
        blank=True,
        db_default="",
        help_text="What whoever answers is called; of an NPC, in all languages of its profile, split by semicolons.",
    )
    last_seq = models.PositiveIntegerField(db_default=0, editable=False)
    pending_extraction_count = models.PositiveIntegerField(
        db_default=0, editable=False, help_text="User messages since the last batch extraction."
    )
    last_extraction_at = models.DateTimeField(null=True, blank=True, editable=False)
    extracted_to = models.PositiveIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="Up to this place batch extraction has worked the messages off.",
    )
    last_message_at = models.DateTimeField(null=True, blank=True, editable=False)
    gone_to = models.PositiveIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="Up to this place an order forgets or erases what was said: nobody reads it.",
    )
    gone_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="When the last order came.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            # An id is its world's own: from another world nobody learns that it is in use.
            models.UniqueConstraint(
                fields=["tenant", "world", "external_id"],
                condition=Q(external_id__isnull=False),
                nulls_distinct=False,
                name="conversation_external_id_unique",
            ),
            models.CheckConstraint(
                condition=Q(external_id__isnull=True) | ~Q(external_id=""), name="conversation_external_id_not_empty"
            ),
            models.CheckConstraint(
                condition=Q(extracted_to__lte=F("last_seq")), name="conversation_extracted_was_said"
            ),
            models.CheckConstraint(
                condition=Q(gone_to=0) | Q(gone_to__lte=F("last_seq"), gone_at__isnull=False),
                name="conversation_gone_was_said",
            ),
        ]
        indexes = [
            # For a user's conversations, newest first.
            models.Index(fields=["tenant", "end_user", "-id"], name="conversation_by_user")
        ]
        triggers = [
            pgtrigger.Trigger(
                name="conversation_same_tenant",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "end_user_id", "world_id"),
                when=pgtrigger.Before,
                func="""
                    IF TG_OP = 'UPDATE' AND (OLD.tenant_id, OLD.end_user_id) IS DISTINCT FROM (NEW.tenant_id, NEW.end_user_id) THEN
                        RAISE EXCEPTION 'conversation_owner_fixed' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NOT EXISTS (SELECT 1 FROM tenancy_enduser u WHERE u.id = NEW.end_user_id AND u.tenant_id = NEW.tenant_id)
                        OR (NEW.world_id IS NOT NULL AND NOT EXISTS (
                            SELECT 1 FROM tenancy_world w WHERE w.id = NEW.world_id AND w.tenant_id = NEW.tenant_id
                        ))
                    THEN
                        RAISE EXCEPTION 'conversation_same_tenant' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="conversation_gone_stays_gone",
                operation=pgtrigger.UpdateOf("gone_to"),
                when=pgtrigger.Before,
                func="""
                    IF NEW.gone_to < OLD.gone_to THEN
                        RAISE EXCEPTION 'conversation_gone_stays_gone' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        if self.session_id:
            return f"Session {self.session_id}" + (f" with {self.npc_id}" if self.npc_id else "")
        return self.external_id or f"Conversation {self.pk}"


class MessageQuerySet(models.QuerySet["Message"]):
    """Messages, and those of them that may be read."""

    def living(self) -> MessageQuerySet:
        """Neither forgotten nor under an order to forget or erase: all that anybody reads."""
        return self.filter(forgotten_at__isnull=True, seq__gt=F("conversation__gone_to"))

    def gone(self) -> MessageQuerySet:
        """All others."""
        return self.filter(Q(forgotten_at__isnull=False) | Q(seq__lte=F("conversation__gone_to")))


class Message(models.Model):
    """What was said, word for word. Rows are added and never changed, save that they can be marked as forgotten.

    Forgetting empties the description derived from the message; the words stay until an erasure by law, which needs an
    `Erasure` row of the same transaction, or one that is not worked off yet. Readers take `Message.objects.living()`.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="messages", db_index=False)
    seq = models.PositiveIntegerField(help_text="Place in the conversation, from 1, without gaps.")
    role = models.CharField(max_length=16, choices=MessageRole)
    content = models.TextField()
    reply_to = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    npc_id = models.CharField(max_length=120, blank=True)
    session_id = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=35, help_text="BCP 47; by script where the runtime did not say.")
    frame = models.CharField(max_length=16, choices=Frame, default=Frame.UNKNOWN)
    memory_type = models.CharField(max_length=16, choices=MemoryType, blank=True)
    mood = models.CharField(
        max_length=40, blank=True, db_default="", help_text="Of whoever speaks, in the runtime's own word."
    )
    response_description = models.TextField(blank=True)
    client_message_id = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - unique where given
    body_hash = models.BinaryField(
        max_length=32, null=True, help_text="SHA-256 of what came under the client's id: a repeat is told from a clash."
    )
    sent_at = models.DateTimeField(help_text="When it was said; of imported histories the original time.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    forgotten_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = MessageQuerySet.as_manager()

    class Meta:
        constraints = [
            # Serves reading a conversation in order, too.
            models.UniqueConstraint(fields=["conversation", "seq"], name="message_seq_unique"),
            models.UniqueConstraint(fields=["conversation", "client_message_id"], name="message_client_id_unique"),
            models.CheckConstraint(condition=Q(seq__gte=1), name="message_seq_from_one"),
            models.CheckConstraint(condition=Q(role__in=MessageRole.values), name="message_role_known"),
            models.CheckConstraint(condition=Q(frame__in=Frame.values), name="message_frame_known"),
            models.CheckConstraint(
                condition=Q(memory_type__in=["", *MemoryType.values]), name="message_memory_type_known"
            ),
            models.CheckConstraint(condition=~Q(content=""), name="message_content_not_empty"),
            models.CheckConstraint(
                condition=Q(client_message_id__isnull=True, body_hash__isnull=True)
                | (Q(client_message_id__isnull=False, body_hash__isnull=False) & ~Q(client_message_id="")),
                name="message_client_id_has_hash",
            ),
            models.CheckConstraint(
                condition=Q(sent_at__gte=EARLIEST_SENT_AT) & Q(sent_at__lte=F("created_at") + CLOCK_SKEW),
                name="message_sent_at_possible",
            ),
        ]
        indexes = [
            # For the last messages of a talk with an NPC in a play session, and for the session's NPCs.
            models.Index(
                fields=["tenant", "session_id", "npc_id", "-id"],
                condition=Q(forgotten_at__isnull=True),
                name="message_by_session",
            )
        ]
        triggers = [
            pgtrigger.Trigger(
                name="message_belongs",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM episodes_conversation c
                        WHERE c.id = NEW.conversation_id AND c.tenant_id = NEW.tenant_id AND c.last_seq >= NEW.seq
                    ) THEN
                        RAISE EXCEPTION 'message_belongs' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.reply_to_id IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM episodes_message r
                        WHERE r.id = NEW.reply_to_id AND r.conversation_id = NEW.conversation_id AND r.seq < NEW.seq
                    ) THEN
                        RAISE EXCEPTION 'message_reply_in_conversation' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="message_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                declare=[("kept", "episodes_message")],
                func="""
                    IF TG_OP = 'DELETE' THEN
                        RAISE EXCEPTION 'message_append_only' USING ERRCODE = 'check_violation';
                    END IF;
                    kept := NEW;
                    IF OLD.forgotten_at IS NULL THEN
                        kept.forgotten_at := NULL;
                    END IF;
                    IF NEW.response_description = '' THEN
                        kept.response_description := OLD.response_description;
                    END IF;
                    IF NEW.content = '[erased]' AND NEW.client_message_id IS NULL AND NEW.body_hash IS NULL
                        AND NEW.forgotten_at IS NOT NULL AND EXISTS (
                            SELECT 1 FROM episodes_erasure e JOIN episodes_conversation c
                                ON c.tenant_id = e.tenant_id AND c.end_user_id = e.end_user_id
                            WHERE c.id = OLD.conversation_id AND e.tenant_id = OLD.tenant_id
                                AND (e.world_id IS NULL OR e.world_id = c.world_id)
                                AND (
                                    e.transaction_id = pg_current_xact_id()::text::bigint
                                    OR (OLD.seq <= c.gone_to AND EXISTS (
                                        SELECT 1 FROM episodes_forgetreceipt r
                                        WHERE r.id = e.receipt_id AND r.order_kind = 'erase' AND r.state <> 'done'
                                    ))
                                )
                        )
                    THEN
                        kept.content := OLD.content;
                        kept.client_message_id := OLD.client_message_id;
                        kept.body_hash := OLD.body_hash;
                        IF NEW.mood = '' THEN
                            kept.mood := OLD.mood;
                        END IF;
                        IF NEW.session_id = '' THEN
                            kept.session_id := OLD.session_id;
                        END IF;
                    END IF;
                    IF kept IS DISTINCT FROM OLD THEN
                        RAISE EXCEPTION 'message_append_only' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id}#{self.seq} {self.role}"

    @property
    def is_gone(self) -> bool:
        """Whether nobody reads it any more: forgotten, or under an order. Reads the conversation."""
        return self.forgotten_at is not None or self.seq <= self.conversation.gone_to
