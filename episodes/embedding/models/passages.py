"""The search index's side of messages."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Mod
from django.db.models.lookups import Exact

from episodes.conversations.models import Conversation, Message
from episodes.embedding.models.vector_codes import CODE_TRIGGERS
from knowledge.search.models import EmbeddingState, Passage

PARTITION_KIND = "end_user"
"""Lexemes of messages are hashed within their user's partition: `build_partition_id(PARTITION_KIND, end_user_id)`."""
SAMPLED_ONE_IN = 16
_HASHED = Func(F("id"), function="hashint8", output_field=models.IntegerField())
IS_SAMPLED = Exact(Mod(_HASHED, SAMPLED_ONE_IN, output_field=models.IntegerField()), 0)
"""By a hash: player and NPC speak in turns, so that every sixteenth id would be one of them."""


class MessagePassage(Passage):
    """The search index's row of one message; a forgotten message has none, so nothing of it can be found."""

    message = models.OneToOneField(Message, on_delete=models.PROTECT, related_name="passage")
    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="+", db_index=False)
    end_user = models.ForeignKey("tenancy.EndUser", on_delete=models.PROTECT, related_name="+", db_index=False)
    seq = models.PositiveIntegerField()
    embedder = models.CharField(
        max_length=216, blank=True, help_text="Name and dimensions of what made the vector; others are never compared."
    )

    class Meta:
        constraints = [
            # Serves the scan of a conversation and the look at a message's neighbours.
            models.UniqueConstraint(fields=["conversation", "seq"], name="message_passage_seq_unique"),
            models.CheckConstraint(
                condition=Q(embedding_state__in=EmbeddingState.values), name="message_passage_embedding_state_known"
            ),
            models.CheckConstraint(
                condition=(Q(embedding_state=EmbeddingState.DONE, embedding__isnull=False) & ~Q(embedder=""))
                | (~Q(embedding_state=EmbeddingState.DONE) & Q(embedding__isnull=True, embedder="")),
                name="message_passage_done_has_vector",
            ),
        ]
        indexes = [
            # For keyword candidates: lexemes && ARRAY[…]; the hashes carry the user, so postings are a user's own.
            GinIndex(fields=["lexemes"], name="message_passage_lexemes", fastupdate=False),
            # For counting a common lexeme of a user who said much: a sixteenth of the messages, whoever said them.
            GinIndex(fields=["lexemes"], condition=Q(IS_SAMPLED), name="message_passage_sample", fastupdate=False),
            # For the exact scan of a user's messages, those just said, and, alone, how many have which vectors.
            models.Index(
                fields=["tenant", "end_user", "created_at"], include=["embedder"], name="message_passage_by_user"
            ),
            # For the embedding queue and its sweeper, oldest first.
            models.Index(
                fields=["tenant", "id"],
                condition=Q(embedding_state=EmbeddingState.PENDING),
                name="message_passage_pending",
            ),
            # For the list of orphans: what could not be embedded.
            models.Index(
                fields=["tenant", "id"],
                condition=Q(embedding_state=EmbeddingState.FAILED),
                name="message_passage_failed",
            ),
        ]
        triggers = CODE_TRIGGERS

    def __str__(self) -> str:
        return f"passage of message {self.message_id}"
