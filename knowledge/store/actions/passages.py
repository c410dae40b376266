"""The search index's side of the store: put in, taken out, given vectors."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import structlog
from django.utils import timezone

from knowledge.config import get_store_settings
from knowledge.search.backlog import BATCH_SIZE, EmbeddingReport
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.core.lexemes import build_scope_id
from knowledge.search.embedding import get_store_embedder, name_vector_space
from knowledge.search.enrichment import embed_passages
from knowledge.search.index_rows import hash_embedded_text, index_text
from knowledge.search.models import EmbeddingState
from knowledge.store.core.limits import MAX_PASSAGES
from knowledge.store.core.texts import list_texts
from knowledge.store.models import STORE_SCOPE_KIND, StoreItem, StorePassage, StoreSpace
from knowledge.text.chunking import ChunkLimits, chunk_article
from knowledge.text.language import detect_language
from memoryproject.database import after_commit
from memoryproject.outages import REDIS_UNAVAILABLE, classify_outage

log = structlog.get_logger("memory37.store")
LATE = dt.timedelta(minutes=1)
"""What has waited so long was left by a killed worker, an outage or a lost task."""
MAX_SWEPT = 200


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
            scope_id=build_scope_id(STORE_SCOPE_KIND, space.pk),
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
    """Enqueue once the transaction holds. A broker that is down costs a log line; the sweeper catches up."""
    from knowledge import tasks

    after_commit(_publish, partial(tasks.embed_store.apply_async, (space_id,), priority=0, retry=False))


def _publish(enqueue: partial[object]) -> None:
    try:
        enqueue()
    except Exception as error:
        if classify_outage(error) is not REDIS_UNAVAILABLE:
            raise
        log.warning("store_embedding_not_queued", error=type(error).__name__)


def embed_store(space_id: int) -> EmbeddingReport:
    """How many waiting passages of a space got a vector or were given up. Texts go to the embedder outside
    transactions. Raises EmbedderUnavailable while the endpoint answers nothing at all, with the rest still waiting."""
    embedder, report = get_store_embedder(), EmbeddingReport()
    columns = {"embedder": name_vector_space(embedder)}
    waiting = StorePassage.objects.filter(space_id=space_id, embedding_state=EmbeddingState.PENDING)
    while passages := list(
        waiting.select_related("item").defer("lexemes", "bm25").order_by("embedding_attempts", "id")[:BATCH_SIZE]
    ):
        texts: dict[int, list[str]] = {}
        for embedded, failed in embed_passages(
            embedder, StorePassage.objects.all(), passages, partial(_get_text, texts), columns=columns
        ):
            report += EmbeddingReport(len(embedded), failed)
    return report


def _get_text(texts: dict[int, list[str]], row: StorePassage) -> str:
    item: StoreItem = row.item
    if item.pk not in texts:
        texts[item.pk] = build_texts(item.value, item.index_fields)
    return texts[item.pk][row.ordinal] if row.ordinal < len(texts[item.pk]) else ""


def list_waiting_spaces() -> list[int]:
    """Spaces with passages that have waited too long, or whose vectors another embedder made."""
    vector_space = name_vector_space(get_store_embedder())
    stale = StorePassage.objects.filter(embedding_state=EmbeddingState.DONE).exclude(embedder=vector_space)
    ids = list(stale.order_by("pk").values_list("pk", flat=True)[:MAX_SWEPT])
    StorePassage.objects.filter(pk__in=ids).update(
        embedding=None, embedder="", embedding_state=EmbeddingState.PENDING, embedding_attempts=0
    )
    late = StorePassage.objects.filter(embedding_state=EmbeddingState.PENDING, created_at__lt=timezone.now() - LATE)
    return list(late.order_by("space_id").values_list("space_id", flat=True).distinct()[:MAX_SWEPT])
