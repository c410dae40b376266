"""RAW: conversations and their messages, word for word. Everything else is derived from them."""

from __future__ import annotations

import datetime as dt

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Now

from memoryproject.triggers import append_only

EARLIEST_SENT_AT = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
"""Nothing was chatted with this service's kind before; a date of 1970 is a clock that was never set."""
CLOCK_SKEW = dt.timedelta(minutes=5)


class MessageRole(models.TextChoices):
    """Who speaks: the player, the model or NPC, or the runtime itself."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class NarrativeMode(models.TextChoices):
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
    trunk = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="branches",
        db_index=False,
        editable=False,
        help_text="The conversation that it branched off, whose message stands at the fork.",
    )
    fork_seq = models.PositiveIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="Of a branch, the last place of its trunk that it sees; its own places follow.",
    )
    tree_id = models.BigIntegerField(
        null=True, blank=True, editable=False, help_text="The first trunk of all, in it and in each of its branches."
    )
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
            models.CheckConstraint(
                condition=Q(trunk__isnull=True, fork_seq=0)
                | Q(trunk__isnull=False, tree_id__isnull=False, fork_seq__gte=1, last_seq__gte=F("fork_seq")),
                name="conversation_branch_has_fork",
            ),
        ]
        indexes = [
            # For a user's conversations, newest first.
            models.Index(fields=["tenant", "end_user", "-id"], name="conversation_by_user"),
            # For the branches of a conversation, and for what other branches of one tree said.
            models.Index(fields=["tree_id", "id"], condition=Q(tree_id__isnull=False), name="conversation_by_tree"),
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


PLACE_ID = Coalesce("alternative_of_id", "id")
"""The first message of a place: by it alternatives sort as what they stand for, whenever they came."""
LIVING = "m.forgotten_at IS NULL AND m.is_current AND m.seq > c.gone_to"
"""Which messages anybody reads: of `episodes_message m` and its `episodes_conversation c`. Queries in files say it too;
a test finds those that do not."""


class MessageQuerySet(models.QuerySet["Message"]):
    """Messages, and those of them that may be read."""

    def living(self) -> MessageQuerySet:
        """Kept, and the current alternative of its place: all that anybody reads. `LIVING` says the same in SQL."""
        return self.kept().filter(is_current=True)

    def kept(self) -> MessageQuerySet:
        """Neither forgotten nor under an order to forget or erase, current or not: all that can be forgotten."""
        return self.filter(forgotten_at__isnull=True, seq__gt=F("conversation__gone_to"))

    def seen_in(self, conversation: Conversation) -> MessageQuerySet:
        """Of a conversation; in a branch, with those of its trunks up to the fork. A branch takes one more query."""
        seen = Q(conversation=conversation)
        if conversation.trunk_id is not None:
            for ancestor_id, through_seq in conversation.ancestors.values_list("ancestor_id", "through_seq"):
                seen |= Q(conversation_id=ancestor_id, seq__lte=through_seq)
        return self.filter(seen)

    def gone(self) -> MessageQuerySet:
        """Forgotten, or under an order."""
        return self.filter(Q(forgotten_at__isnull=False) | Q(seq__lte=F("conversation__gone_to")))


class Message(models.Model):
    """What was said, word for word. Rows are added and never changed, save that they can be marked as forgotten.

    Forgetting empties the description derived from the message; the words stay until an erasure by law, which needs an
    `Erasure` row of the same transaction, or one that is not worked off yet. Readers take `Message.objects.living()`.

    A place may hold several alternatives: what was said first, its edits, its swipes. Exactly one of them is current.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="messages", db_index=False)
    seq = models.PositiveIntegerField(help_text="Place in the conversation, from 1, without gaps.")
    alternative = models.PositiveIntegerField(
        default=0, db_default=0, editable=False, help_text="Which alternative of its place it is; 0 came first."
    )
    alternative_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        editable=False,
        help_text="The message that came first at its place.",
    )
    revision_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        editable=False,
        help_text="The message that it edits.",
    )
    is_current = models.BooleanField(
        default=True, db_default=True, editable=False, help_text="The one that is read, of all alternatives of a place."
    )
    role = models.CharField(max_length=16, choices=MessageRole)
    content = models.TextField()
    reply_to = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    npc_id = models.CharField(max_length=120, blank=True)
    session_id = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=35, help_text="BCP 47; by script where the runtime did not say.")
    frame = models.CharField(max_length=16, choices=NarrativeMode, default=NarrativeMode.UNKNOWN)
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
            models.UniqueConstraint(fields=["conversation", "seq", "alternative"], name="message_alternative_unique"),
            # Of two that were not first at once; a trigger holds them against the first.
            models.UniqueConstraint(
                fields=["conversation", "seq"],
                condition=Q(is_current=True, alternative__gt=0),
                name="message_current_unique",
            ),
            models.CheckConstraint(
                condition=Q(alternative=0, alternative_of__isnull=True, revision_of__isnull=True)
                | Q(alternative__gt=0, alternative_of__isnull=False),
                name="message_alternative_has_first",
            ),
            models.UniqueConstraint(fields=["conversation", "client_message_id"], name="message_client_id_unique"),
            models.CheckConstraint(condition=Q(seq__gte=1), name="message_seq_from_one"),
            models.CheckConstraint(condition=Q(role__in=MessageRole.values), name="message_role_known"),
            models.CheckConstraint(condition=Q(frame__in=NarrativeMode.values), name="message_frame_known"),
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
                "tenant",
                "session_id",
                "npc_id",
                PLACE_ID.desc(),
                condition=Q(forgotten_at__isnull=True, is_current=True),
                name="message_by_place",
            ),
            # For what was told late of a time before a message that is edited: of talk as it is told, nothing.
            models.Index(
                fields=["conversation", "sent_at"],
                include=["created_at"],
                condition=Q(role="user", sent_at__lt=F("created_at")),
                name="message_told_late",
            ),
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
                        WHERE r.id = NEW.reply_to_id AND r.seq < NEW.seq AND (
                            r.conversation_id = NEW.conversation_id OR EXISTS (
                                SELECT 1 FROM episodes_conversationancestor a
                                WHERE a.conversation_id = NEW.conversation_id AND a.ancestor_id = r.conversation_id
                                    AND r.seq <= a.through_seq
                            )
                        )
                    ) THEN
                        RAISE EXCEPTION 'message_reply_in_conversation' USING ERRCODE = 'check_violation';
                    END IF;
                    IF NEW.alternative > 0 AND (
                        NOT EXISTS (
                            SELECT 1 FROM episodes_message f
                            WHERE f.id = NEW.alternative_of_id AND f.conversation_id = NEW.conversation_id
                                AND f.seq = NEW.seq AND f.alternative = 0 AND f.role = NEW.role
                        )
                        OR (NEW.revision_of_id IS NOT NULL AND NOT EXISTS (
                            SELECT 1 FROM episodes_message r
                            WHERE r.id = NEW.revision_of_id AND r.conversation_id = NEW.conversation_id
                                AND r.seq = NEW.seq
                        ))
                    ) THEN
                        RAISE EXCEPTION 'message_alternative_at_place' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                # Held against the whole place when the transaction ends, under the lock that writers of it take.
                name="message_one_current",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("is_current"),
                when=pgtrigger.After,
                timing=pgtrigger.Deferred,
                condition=pgtrigger.Condition("NEW.alternative > 0 OR NOT NEW.is_current"),
                func="""
                    PERFORM 1 FROM episodes_conversation c WHERE c.id = NEW.conversation_id FOR NO KEY UPDATE;
                    IF (
                        SELECT count(*) FROM episodes_message m
                        WHERE m.conversation_id = NEW.conversation_id AND m.seq = NEW.seq AND m.is_current
                    ) <> 1 THEN
                        RAISE EXCEPTION 'message_one_current' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NULL;
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
                    IF NOT NEW.is_current OR NEW.forgotten_at IS NULL THEN
                        kept.is_current := OLD.is_current;
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
        """Whether it is forgotten, or under an order. Reads the conversation."""
        return self.forgotten_at is not None or self.seq <= self.conversation.gone_to

    @property
    def is_living(self) -> bool:
        """Whether anybody reads it: not gone, and the current alternative of its place. Reads the conversation."""
        return self.is_current and not self.is_gone

    @property
    def place_id(self) -> int:
        """The first message of its place."""
        return self.alternative_of_id or self.pk

    @property
    def said_at(self) -> dt.datetime:
        """When it was said, as far as facts go: a clock that runs ahead does not outlive what is said later."""
        return min(self.sent_at, self.created_at)


class ConversationAncestor(models.Model):
    """A branch sees the messages of an ancestor up to a place: one row for each trunk above it. Never changed."""

    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="ancestors", db_index=False)
    ancestor = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="+", db_index=False)
    through_seq = models.PositiveIntegerField()

    class Meta:
        constraints = [
            # For what a branch sees.
            models.UniqueConstraint(fields=["conversation", "ancestor"], name="conversation_ancestor_unique"),
            models.CheckConstraint(
                condition=Q(through_seq__gte=1) & ~Q(conversation=F("ancestor")), name="conversation_ancestor_possible"
            ),
        ]
        indexes = [
            # For the branches in which a message is read.
            models.Index(fields=["ancestor", "through_seq"], name="conversation_ancestor_below"),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="conversation_ancestor_same_user",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM episodes_conversation c JOIN episodes_conversation a ON a.id = NEW.ancestor_id
                        WHERE c.id = NEW.conversation_id AND a.tenant_id = c.tenant_id AND a.end_user_id = c.end_user_id
                            AND a.world_id IS NOT DISTINCT FROM c.world_id AND a.tree_id = c.tree_id
                            AND (
                                c.trunk_id = a.id AND NEW.through_seq = c.fork_seq
                                OR EXISTS (
                                    SELECT 1 FROM episodes_conversationancestor t
                                    WHERE t.conversation_id = c.trunk_id AND t.ancestor_id = a.id
                                        AND NEW.through_seq = least(t.through_seq, c.fork_seq)
                                )
                            )
                    ) THEN
                        RAISE EXCEPTION 'conversation_ancestor_same_user' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            append_only("conversation_ancestor_append_only"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id} sees {self.ancestor_id} up to {self.through_seq}"
