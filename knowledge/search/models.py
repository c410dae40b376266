"""The narrow side table of everything that is searched: ids, filters, lexemes, BM25 weights and a vector."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from pgvector.django import HalfVectorField, SparseVectorField

from knowledge.search.core.lexemes import SPARSE_DIMENSIONS


class EmbeddingState(models.TextChoices):
    """Where a passage stands on its way to a vector; every passage ends in `done` or is listed as `failed`."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


class Passage(models.Model):
    """What one chunk needs to be found. The text lives with the owner, never here.

    `lexemes` holds 64-bit hashes of (partition id, lexeme): one GIN index serves all partitions, and a partition's posting lists are its own.
    `bm25` holds the document's side of BM25 by hashed lexeme; `embedding` is null until the embedder answered.
    """

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    language = models.CharField(max_length=16)
    length = models.PositiveIntegerField(help_text="Lexemes in the passage, repeats counted.")
    lexemes = ArrayField(models.BigIntegerField())
    bm25 = SparseVectorField(dimensions=SPARSE_DIMENSIONS)
    embedding = HalfVectorField(null=True)
    embedding_hash = models.BinaryField(
        max_length=32, help_text="SHA-256 of the embedded text: equal texts are embedded once."
    )
    embedding_state = models.CharField(max_length=8, choices=EmbeddingState, db_default=EmbeddingState.PENDING)
    embedding_attempts = models.PositiveSmallIntegerField(db_default=0)
    embedding_error = models.TextField(db_default="")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        abstract = True
