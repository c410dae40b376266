"""The search index's side of the store."""

import pgtrigger
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from knowledge.search.models import EmbeddingState, Passage
from knowledge.store.models.items import StoreItem, StoreSpace

STORE_PARTITION_KIND = "store"
"""Lexemes are hashed within their space's partition: `build_partition_id(STORE_PARTITION_KIND, space_id)`."""


class StorePassage(Passage):
    """The index row of one text of an item, or of a part of it."""

    space = models.ForeignKey(StoreSpace, on_delete=models.PROTECT, related_name="+", db_index=False)
    item = models.ForeignKey(StoreItem, on_delete=models.CASCADE, related_name="passages", db_index=False)
    ordinal = models.PositiveSmallIntegerField(default=0)
    embedder = models.CharField(
        max_length=216, blank=True, help_text="Name and dimensions of what made the vector; others are never compared."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "ordinal"], name="store_passage_unique"),
            models.CheckConstraint(
                condition=Q(embedding_state__in=EmbeddingState.values), name="store_passage_embedding_state_known"
            ),
            models.CheckConstraint(
                condition=(Q(embedding_state=EmbeddingState.DONE, embedding__isnull=False) & ~Q(embedder=""))
                | (~Q(embedding_state=EmbeddingState.DONE) & Q(embedding__isnull=True, embedder="")),
                name="store_passage_done_has_vector",
            ),
        ]
        indexes = [
            # For keyword candidates: lexemes && ARRAY[…]; the hashes carry the space.
            GinIndex(fields=["lexemes"], name="store_passage_lexemes", fastupdate=False),
            # For the exact scan of a space.
            models.Index(fields=["tenant", "space"], name="store_passage_by_space"),
            # For what waits for a vector.
            models.Index(
                fields=["space", "created_at"], condition=Q(embedding_state="pending"), name="store_passage_waiting"
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="store_passage_same_space",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("tenant_id", "space_id", "item_id"),
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM knowledge_storeitem i
                        WHERE i.id = NEW.item_id AND i.space_id = NEW.space_id AND i.tenant_id = NEW.tenant_id
                    ) THEN
                        RAISE EXCEPTION 'store_passage_same_space' USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"passage {self.ordinal} of item {self.item_id}"
