"""Vectors of users who said much, one bit a dimension: what a search looks through before it compares whole vectors."""

from typing import Any

import pgtrigger
from django.db import models
from django.db.models.functions import Now
from pgvector.django import HalfVectorField

from episodes.conversations.models import Conversation, MessageRole


class BitVaryingField(models.TextField):  # type: ignore[type-arg]  # generic in the stubs alone
    """Bits, as many as the vector has dimensions. Written and read by SQL alone."""

    description = "Bit string"

    def db_type(self, connection: Any) -> str:
        """The column's type."""
        return "bit varying"


class VectorCenter(models.Model):
    """The mean of a user's vectors. A code says of each dimension whether the vector lies above it.

    Cosines of sentence models all lie in .70 to .90: without the mean most bits would be the same for all messages.
    From the moment the row is there, triggers write codes; `is_ready` once those from before have theirs, too.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.OneToOneField("tenancy.EndUser", on_delete=models.PROTECT, related_name="+")
    vector_space = models.CharField(max_length=216, help_text="What made the vectors; those of others have no code.")
    center = HalfVectorField()
    is_ready = models.BooleanField(db_default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(vector_space=""), name="vector_center_has_space"),
        ]

    def __str__(self) -> str:
        return f"vector center of user {self.end_user_id}"


class VectorCode(models.Model):
    """The code of one message's vector, with what searches filter by. Only triggers of the passage's table write it.

    It holds no foreign keys in the database: 40,000 passages that are purged at once would each look for their code.
    """

    passage = models.OneToOneField(
        "episodes.MessagePassage",
        on_delete=models.DO_NOTHING,
        primary_key=True,
        related_name="+",
        db_constraint=False,
    )
    tenant = models.ForeignKey(
        "tenancy.Tenant", on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    end_user = models.ForeignKey(
        "tenancy.EndUser", on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    conversation = models.ForeignKey(
        Conversation, on_delete=models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False
    )
    npc_id = models.CharField(max_length=120, blank=True)
    role = models.CharField(max_length=16, choices=MessageRole)
    sent_at = models.DateTimeField()
    code = BitVaryingField()

    class Meta:
        indexes = [
            # For the look through a user's codes, by this index alone.
            models.Index(
                fields=["tenant", "end_user", "passage"],
                include=["conversation", "npc_id", "role", "sent_at", "code"],
                name="vector_code_by_user",
            )
        ]

    def __str__(self) -> str:
        return f"vector code of passage {self.passage_id}"


_WRITE_CODE = """
    DELETE FROM episodes_vectorcode WHERE passage_id = NEW.id;
    INSERT INTO episodes_vectorcode
        (passage_id, tenant_id, end_user_id, conversation_id, npc_id, role, sent_at, code)
    SELECT NEW.id, NEW.tenant_id, NEW.end_user_id, NEW.conversation_id, m.npc_id, m.role, m.sent_at,
           binary_quantize(NEW.embedding - c.center)
    FROM episodes_vectorcenter c
    JOIN episodes_message m ON m.id = NEW.message_id
    WHERE c.end_user_id = NEW.end_user_id AND c.tenant_id = NEW.tenant_id AND c.vector_space = NEW.embedder
        AND vector_dims(NEW.embedding) = vector_dims(c.center);
    RETURN NULL;
"""

CODE_TRIGGERS = [
    pgtrigger.Trigger(
        name="message_passage_code_follows_vector",
        operation=pgtrigger.UpdateOf("embedding", "embedder"),
        when=pgtrigger.After,
        condition=pgtrigger.AnyChange("embedding", "embedder"),
        func=_WRITE_CODE,
    ),
    pgtrigger.Trigger(
        name="message_passage_code_of_new",
        operation=pgtrigger.Insert,
        when=pgtrigger.After,
        condition=pgtrigger.Q(new__embedding__isnull=False),
        func=_WRITE_CODE,
    ),
    pgtrigger.Trigger(
        name="message_passage_code_goes",
        level=pgtrigger.Statement,
        operation=pgtrigger.Delete,
        when=pgtrigger.After,
        referencing=pgtrigger.Referencing(old="gone"),
        func="""
            IF EXISTS (SELECT 1 FROM gone g JOIN episodes_vectorcenter c ON c.end_user_id = g.end_user_id) THEN
                DELETE FROM episodes_vectorcode c USING gone g WHERE c.passage_id = g.id;
                DELETE FROM episodes_vectorcenter c
                USING (SELECT DISTINCT tenant_id, end_user_id FROM gone) g
                WHERE c.tenant_id = g.tenant_id AND c.end_user_id = g.end_user_id AND NOT EXISTS (
                    SELECT 1 FROM episodes_messagepassage p
                    WHERE p.tenant_id = g.tenant_id AND p.end_user_id = g.end_user_id
                );
            END IF;
            RETURN NULL;
        """,
    ),
]
"""Triggers of the passages' table: every vector of a user with a center has a code, and no code outlives its passage."""
