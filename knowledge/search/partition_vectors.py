"""Vectors of what was written into one partition, a notebook or a store: asked for after the commit, swept up when
late."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import structlog
from django.db.models import QuerySet
from django.utils import timezone

from knowledge.search.backlog import BATCH_SIZE, EmbeddingReport
from knowledge.search.embedding import Embedder, name_vector_space
from knowledge.search.enrichment import AnyPassage, embed_passages
from knowledge.search.models import EmbeddingState
from memoryproject.database import after_commit
from memoryproject.outages import REDIS_UNAVAILABLE, classify_outage

log = structlog.get_logger("memory37.enrichment")
LATE = dt.timedelta(minutes=1)
"""What has waited so long was left by a killed worker, an outage or a lost task."""
MAX_SWEPT = 200


def queue_after_commit(task: Any, partition_id: int) -> None:
    """Enqueue once the transaction holds. A broker that is down costs a log line; the sweeper catches up."""
    after_commit(_publish, task.name, partial(task.apply_async, (partition_id,), priority=0, retry=False))


def _publish(name: str, enqueue: partial[object]) -> None:
    try:
        enqueue()
    except Exception as error:
        if classify_outage(error) is not REDIS_UNAVAILABLE:
            raise
        log.warning("embedding_not_queued", task=name, error=type(error).__name__)


def embed_waiting(
    rows: QuerySet[AnyPassage],
    embedder: Embedder,
    get_text: Callable[[AnyPassage], str],
    *,
    partition: dict[str, int],
    owner: str,
) -> EmbeddingReport:
    """How many waiting passages of a partition got a vector or were given up.

    `rows` is their whole table, `partition` its column and id, `owner` the relation to whose text they are part of.
    Texts go to the embedder outside transactions. Raises EmbedderUnavailable while the endpoint answers nothing at all,
    with the rest still waiting.
    """
    report, columns = EmbeddingReport(), {"embedder": name_vector_space(embedder)}
    waiting = rows.filter(**partition, embedding_state=EmbeddingState.PENDING).select_related(owner)
    waiting = waiting.defer("lexemes", "bm25").order_by("embedding_attempts", "id")
    while passages := list(waiting[:BATCH_SIZE]):
        for embedded, failed in embed_passages(embedder, rows, passages, get_text, columns=columns):
            report += EmbeddingReport(len(embedded), failed)
    return report


def list_waiting_partitions(rows: QuerySet[AnyPassage], embedder: Embedder, *, partition: str) -> Sequence[int]:
    """Ids of partitions with passages that have waited too long, or whose vectors another embedder made (they wait
    now)."""
    space = name_vector_space(embedder)
    stale = rows.filter(embedding_state=EmbeddingState.DONE).exclude(embedder=space)
    ids = list(stale.order_by("pk").values_list("pk", flat=True)[:MAX_SWEPT])
    rows.filter(pk__in=ids).update(
        embedding=None, embedder="", embedding_state=EmbeddingState.PENDING, embedding_attempts=0
    )
    late = rows.filter(embedding_state=EmbeddingState.PENDING, created_at__lt=timezone.now() - LATE)
    return list(late.order_by(partition).values_list(partition, flat=True).distinct()[:MAX_SWEPT])
