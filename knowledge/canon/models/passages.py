"""Chunks of articles, their passages in the search index, and the lexeme counts that make idf exact in any release."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from knowledge.search.models import EmbeddingState, Passage


class LoreChunk(models.Model):
    """The text of one chunk of an article, with the version line it continues."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    document = models.ForeignKey(
        "knowledge.LoreDocument", on_delete=models.PROTECT, related_name="chunks", db_index=False
    )
    revision = models.ForeignKey(
        "knowledge.LoreRevision",
        on_delete=models.PROTECT,
        related_name="chunks",
        help_text="The revision that first said this.",
    )
    ordinal = models.PositiveIntegerField()
    anchor = models.CharField(
        max_length=300, help_text="Heading path as a fragment: what the chunk keeps between revisions."
    )
    heading_path = ArrayField(models.CharField(max_length=300), default=list)
    title = models.CharField(max_length=300)
    text = models.TextField()
    token_count = models.PositiveIntegerField()
    version = models.CharField(
        max_length=32, help_text="SemVer: patch = form, minor = wording, major = meaning may have changed."
    )
    content_hash = models.BinaryField(max_length=32, help_text="SHA-256 of all that a hit shows or filters by.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = [
            # For the builder: what a document's chunks were.
            models.Index(fields=["document", "id"], name="chunk_by_document")
        ]

    def __str__(self) -> str:
        return f"{self.title}#{self.anchor} {self.version}"


class LorePassage(Passage):
    """The search index's row of one chunk, for a stretch of releases [added_in, removed_in)."""

    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, related_name="passages", db_index=False
    )
    vector_space = models.ForeignKey(
        "knowledge.VectorSpace", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    document = models.ForeignKey(
        "knowledge.LoreDocument", on_delete=models.PROTECT, related_name="passages", db_index=False
    )
    chunk = models.ForeignKey(LoreChunk, on_delete=models.PROTECT, related_name="passages", db_index=False)
    type = models.CharField(max_length=32)
    audience = ArrayField(models.CharField(max_length=160))
    tags = ArrayField(models.CharField(max_length=64), default=list)
    added_in = models.PositiveIntegerField()
    removed_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["domain_index", "chunk", "added_in"], name="passage_chunk_added_in_unique"),
            models.CheckConstraint(
                condition=Q(removed_in__isnull=True) | Q(removed_in__gt=F("added_in")), name="passage_range_not_empty"
            ),
            models.CheckConstraint(
                condition=Q(embedding_state__in=EmbeddingState.values), name="passage_embedding_state_known"
            ),
            models.CheckConstraint(
                condition=Q(embedding_state=EmbeddingState.DONE, embedding__isnull=False)
                | (~Q(embedding_state=EmbeddingState.DONE) & Q(embedding__isnull=True)),
                name="passage_embedding_done_has_vector",
            ),
        ]
        indexes = [
            # For keyword candidates: lexemes && ARRAY[…]; the hashes carry the partition, so postings are a partition's own.
            GinIndex(fields=["lexemes"], name="passage_lexemes", fastupdate=False),
            # For the exact vector scan of a partition, and for all that a release added.
            models.Index(fields=["domain_index", "added_in"], name="passage_added_in"),
            # For undo and discard: all that a release removed.
            models.Index(
                fields=["domain_index", "removed_in"], condition=Q(removed_in__isnull=False), name="passage_removed_in"
            ),
            # For the builder: a document's open passages.
            models.Index(fields=["document"], condition=Q(removed_in__isnull=True), name="passage_open_by_document"),
            # For the embedding queue and its sweeper.
            models.Index(
                fields=["domain_index", "id"],
                condition=Q(embedding_state=EmbeddingState.PENDING),
                name="passage_embedding_pending",
            ),
            # For counting and listing what could not be embedded.
            models.Index(
                fields=["domain_index", "id"],
                condition=Q(embedding_state=EmbeddingState.FAILED),
                name="passage_embedding_failed",
            ),
            # For re-using a vector of the same text.
            models.Index(fields=["vector_space", "embedding_hash"], name="passage_embedding_hash"),
        ]


class LexemeCount(models.Model):
    """By how many passages a release changed the document frequency of a lexeme. The sum up to r is exact for release r."""

    tenant = models.ForeignKey("tenancy.Tenant", on_delete=models.PROTECT, related_name="+", db_index=False)
    domain_index = models.ForeignKey(
        "knowledge.DomainIndex", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    lexeme = models.BigIntegerField(help_text="Scoped hash, as in passages.")
    release_number = models.PositiveIntegerField()
    delta = models.IntegerField()

    class Meta:
        constraints = [
            # Serves the idf query as well: lexeme = ANY(…) up to a release.
            models.UniqueConstraint(
                fields=["domain_index", "lexeme", "release_number"], include=["delta"], name="lexeme_count_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.lexeme}: {self.delta:+d} in release {self.release_number}"
