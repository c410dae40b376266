"""The search index's side of notebooks."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from knowledge.notebook.models.entries import EntryKind, NotebookEntry
from knowledge.notebook.models.guards import within_notebook
from knowledge.notebook.models.notebooks import Notebook
from knowledge.search.models import EmbeddingState, Passage

NOTEBOOK_PARTITION_KIND = "notebook"
"""Lexemes are hashed within their notebook's partition: `build_partition_id(NOTEBOOK_PARTITION_KIND, notebook_id)`."""


class NotebookPassage(Passage):
    """The index row of a fact, a note, or a part of a document. What is archived, deleted or redacted has none."""

    notebook = models.ForeignKey(Notebook, on_delete=models.CASCADE, related_name="+", db_index=False)
    entry = models.ForeignKey(NotebookEntry, on_delete=models.CASCADE, related_name="passages", db_index=False)
    kind = models.CharField(max_length=8, choices=EntryKind)
    author = models.CharField(
        max_length=120, help_text="Whose quarantine it is in; empty for what all members read.", blank=True
    )
    ordinal = models.PositiveSmallIntegerField(default=0)
    start = models.PositiveIntegerField(default=0, help_text="Where its text begins in the entry's.")
    end = models.PositiveIntegerField(help_text="Where it ends.")
    embedder = models.CharField(
        max_length=216, blank=True, help_text="Name and dimensions of what made the vector; others are never compared."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "ordinal"], name="notebook_passage_unique"),
            models.CheckConstraint(
                condition=Q(embedding_state__in=EmbeddingState.values), name="notebook_passage_embedding_state_known"
            ),
            models.CheckConstraint(
                condition=(Q(embedding_state=EmbeddingState.DONE, embedding__isnull=False) & ~Q(embedder=""))
                | (~Q(embedding_state=EmbeddingState.DONE) & Q(embedding__isnull=True, embedder="")),
                name="notebook_passage_done_has_vector",
            ),
        ]
        indexes = [
            # For keyword candidates: lexemes && ARRAY[…]; the hashes carry the notebook.
            GinIndex(fields=["lexemes"], name="notebook_passage_lexemes", fastupdate=False),
            # For the exact scan of a notebook.
            models.Index(fields=["tenant", "notebook", "kind"], name="notebook_passage_by_notebook"),
            # For what waits for a vector.
            models.Index(
                fields=["notebook", "created_at"],
                condition=Q(embedding_state="pending"),
                name="notebook_passage_waiting",
            ),
        ]
        triggers = [within_notebook("notebook_passage_same_notebook", {"entry_id": "knowledge_notebookentry"})]

    def __str__(self) -> str:
        return f"passage {self.ordinal} of entry {self.entry_id}"
