"""The search index's side of notebooks: put in, taken out, given vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.config import get_notebook_settings
from knowledge.notebook.core.drafts import DOCUMENT, FACT
from knowledge.notebook.models import NotebookEntry, NotebookPassage
from knowledge.notebook.models.passages import NOTEBOOK_PARTITION_KIND
from knowledge.search.backlog import EmbeddingReport
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.embedding import get_notebook_embedder
from knowledge.search.index_rows import hash_embedded_text, index_text
from knowledge.search.models import EmbeddingState
from knowledge.search.partition_vectors import embed_waiting, list_waiting_partitions, queue_after_commit
from knowledge.text.chunking import ChunkLimits, chunk_article
from knowledge.text.language import detect_language
from memoryproject.celery import find_task


@dataclass(frozen=True, slots=True)
class Span:
    """A part of an entry's text that is found by itself."""

    start: int
    end: int
    text: str


def build_spans(kind: str, name: str, content: str) -> list[Span]:
    """What an entry is found by: a fact with its key, a note whole, a document by its sections."""
    if kind == FACT:
        return [Span(0, len(content), f"{name}: {content}")]
    if kind != DOCUMENT:
        return [Span(0, len(content), content)]
    limits = get_notebook_settings().chunk
    chunks = chunk_article(title=name, body=content, limits=ChunkLimits(limits.min_tokens, limits.max_tokens))
    spans, place = [], 0
    for chunk in chunks:
        start = content.find(chunk.text, place)
        start = place if start < 0 else start
        place = start + len(chunk.text)
        path = " › ".join([name.removesuffix(".md"), *chunk.heading_path])
        spans.append(Span(start, min(place, len(content)), f"{path}\n{chunk.text}"))
    return spans


def build_passages(entry: NotebookEntry, *, only_for: str = "") -> list[NotebookPassage]:
    """The index rows of an entry, without vectors and not stored yet. Pure work: call it before the transaction."""
    settings = get_notebook_settings()
    rows = []
    for ordinal, span in enumerate(build_spans(entry.kind, entry.name, entry.content)):
        indexed = index_text(
            span.text,
            partition_id=build_partition_id(NOTEBOOK_PARTITION_KIND, entry.notebook_id),
            pivot=settings.pivot,
            params=BM25Params(settings.bm25.k1, settings.bm25.b),
        )
        rows.append(
            NotebookPassage(
                tenant_id=entry.tenant_id,
                notebook_id=entry.notebook_id,
                kind=entry.kind,
                author=only_for,
                ordinal=ordinal,
                start=span.start,
                end=span.end,
                language=detect_language(span.text),
                length=indexed.length,
                lexemes=indexed.lexemes,
                bm25=indexed.bm25,
                embedding_hash=hash_embedded_text(span.text),
            )
        )
    return rows


def replace_passages(entry: NotebookEntry, passages: Sequence[NotebookPassage]) -> None:
    """The entry's index rows are these from now on. Must be called inside the transaction that keeps the entry.

    A part whose words are as before keeps its vector.
    """
    old = {
        bytes(row.embedding_hash): row
        for row in NotebookPassage.objects.filter(entry=entry, embedding_state=EmbeddingState.DONE)
    }
    NotebookPassage.objects.filter(entry=entry).delete()
    for row in passages:
        row.entry = entry
        known = old.get(bytes(row.embedding_hash))
        if known is not None:
            row.embedding, row.embedder = known.embedding, known.embedder
            row.embedding_state = EmbeddingState.DONE
    NotebookPassage.objects.bulk_create(passages)
    if any(row.embedding is None for row in passages):
        queue_embedding(entry.notebook_id)


def remove_passages(entry_ids: Sequence[int]) -> int:
    """How many index rows are gone."""
    return NotebookPassage.objects.filter(entry_id__in=entry_ids).delete()[0]


def queue_embedding(notebook_id: int) -> None:
    """Their vectors are made once the transaction holds."""
    queue_after_commit(find_task("knowledge.embed_notebook"), notebook_id)


def embed_notebook(notebook_id: int) -> EmbeddingReport:
    """How many waiting passages of a notebook got a vector or were given up. Call it outside transactions.

    Raises EmbedderUnavailable.
    """
    rows = NotebookPassage.objects.all()
    partition = {"notebook_id": notebook_id}
    return embed_waiting(rows, get_notebook_embedder(), _get_text, partition=partition, owner="entry")


def _get_text(row: NotebookPassage) -> str:
    spans = build_spans(row.kind, row.entry.name, row.entry.content)
    return spans[row.ordinal].text if row.ordinal < len(spans) else row.entry.content[row.start : row.end]


def list_waiting_notebooks() -> Sequence[int]:
    """Notebooks with passages that have waited too long, or whose vectors another embedder made."""
    return list_waiting_partitions(NotebookPassage.objects.all(), get_notebook_embedder(), partition="notebook_id")
