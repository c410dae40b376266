"""The search index's side of the store: put in, taken out, given vectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from knowledge.config import get_store_settings
from knowledge.search.backlog import EmbeddingReport
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.embedding import get_store_embedder
from knowledge.search.index_rows import hash_embedded_text, index_text
from knowledge.search.models import EmbeddingState
from knowledge.search.partition_vectors import embed_waiting, list_waiting_partitions, queue_after_commit
from knowledge.store.core.limits import MAX_PASSAGES
from knowledge.store.core.texts import list_texts
from knowledge.store.models import STORE_PARTITION_KIND, StoreItem, StorePassage, StoreSpace
from knowledge.text.chunking import ChunkLimits, chunk_article
from knowledge.text.language import detect_language
from memoryproject.celery import find_task


def build_texts(value: Mapping[str, Any], fields: Sequence[str] | None) -> list[str]:
    """The texts of an item, in the order of its passages: long ones in parts, at most `MAX_PASSAGES`."""
    limits = get_store_settings().chunk
    cut = ChunkLimits(limits.min_tokens, limits.max_tokens)
    parts = [
        chunk.text for text in list_texts(value, fields) for chunk in chunk_article(title="", body=text, limits=cut)
    ]
    return parts[:MAX_PASSAGES]


def build_passages(space: StoreSpace, value: Mapping[str, Any], fields: Sequence[str] | None) -> list[StorePassage]:
    """The index rows of an item, without vectors, without the item, and not stored yet. Pure work."""
    settings = get_store_settings()
    rows = []
    for ordinal, text in enumerate(build_texts(value, fields)):
        indexed = index_text(
            text,
            partition_id=build_partition_id(STORE_PARTITION_KIND, space.pk),
            pivot=settings.pivot,
            params=BM25Params(settings.bm25.k1, settings.bm25.b),
        )
        rows.append(
            StorePassage(
                tenant_id=space.tenant_id,
                space_id=space.pk,
                ordinal=ordinal,
                language=detect_language(text),
                length=indexed.length,
                lexemes=indexed.lexemes,
                bm25=indexed.bm25,
                embedding_hash=hash_embedded_text(text),
            )
        )
    return rows


def replace_passages(space_id: int, passages: Mapping[int, Sequence[StorePassage]]) -> None:
    """The index rows of these items (by id) are these from now on. Must be called inside the transaction that keeps
    the items. A text that was there before keeps its vector. Three queries.
    """
    rows = StorePassage.objects.filter(item_id__in=list(passages))
    old = {
        (row.item_id, bytes(row.embedding_hash)): row
        for row in rows.filter(embedding_state=EmbeddingState.DONE).defer("lexemes", "bm25")
    }
    rows.delete()
    wanted = []
    for item_id, each in passages.items():
        for row in each:
            row.item_id = item_id
            known = old.get((item_id, bytes(row.embedding_hash)))
            if known is not None:
                row.embedding, row.embedder = known.embedding, known.embedder
                row.embedding_state = EmbeddingState.DONE
            wanted.append(row)
    StorePassage.objects.bulk_create(wanted)
    if any(row.embedding is None for row in wanted):
        queue_embedding(space_id)


def remove_passages(item_ids: Iterable[int]) -> int:
    """How many index rows are gone."""
    return StorePassage.objects.filter(item_id__in=list(item_ids)).delete()[0]


def queue_embedding(space_id: int) -> None:
    """Their vectors are made once the transaction holds."""
    queue_after_commit(find_task("knowledge.embed_store"), space_id)


def embed_store(space_id: int) -> EmbeddingReport:
    """How many waiting passages of a space got a vector or were given up. Call it outside transactions.

    Raises EmbedderUnavailable.
    """
    get_text = partial(_get_text, {})
    rows = StorePassage.objects.all()
    return embed_waiting(rows, get_store_embedder(), get_text, partition={"space_id": space_id}, owner="item")


def _get_text(texts: dict[int, list[str]], row: StorePassage) -> str:
    item: StoreItem = row.item
    if item.pk not in texts:
        texts[item.pk] = build_texts(item.value, item.index_fields)
    return texts[item.pk][row.ordinal] if row.ordinal < len(texts[item.pk]) else ""


def list_waiting_spaces() -> Sequence[int]:
    """Spaces with passages that have waited too long, or whose vectors another embedder made."""
    return list_waiting_partitions(StorePassage.objects.all(), get_store_embedder(), partition="space_id")
