"""Vectors for messages that were stored without one."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from episodes.conversations.actions.listeners import notify_readers
from episodes.embedding.actions.queue import queue_recovery
from episodes.embedding.selectors.enrichment import filter_orphans
from episodes.metrics import ENRICHMENT_SECONDS
from episodes.models import MessagePassage
from knowledge.search.backlog import EmbeddingReport, RunBudget, embed_in_batches, make_run_budget
from knowledge.search.embedding import get_message_embedder, name_vector_space
from knowledge.search.enrichment import embed_passages
from knowledge.search.models import EmbeddingState

logger = structlog.get_logger("memory37.enrichment")

MESSAGES_IN_A_RUN = 2000


def embed_messages(
    conversation_id: int, *, limit: int = MESSAGES_IN_A_RUN, priority: str = "normal"
) -> EmbeddingReport:
    """What became of a conversation's waiting messages, the newest first, up to `limit` of them.

    Readers of waiting messages come first (`read_before_embedding`). Texts go to the embedder outside transactions. An
    answer is written only where the passage still waits, and a batch is claimed by one worker, so two runs at once do
    no harm and a message forgotten meanwhile stays without. A refused text fails at once, one that breaks the endpoint
    after three tries; while the endpoint answers nothing at all, no try is counted. `priority` names the run in the
    metrics. Raises EmbedderUnavailable then, with the rest still waiting.
    """
    rows = MessagePassage.objects.filter(conversation_id=conversation_id)
    return _embed_messages(rows, RunBudget(limit), ("embedding_attempts", "-seq"), priority)


def embed_message_backlog(tenant_id: int, *, priority: str = "recovery") -> EmbeddingReport:
    """What became of a tenant's waiting messages, the oldest first, within one run's budget. Raises as above."""
    rows = MessagePassage.objects.filter(tenant_id=tenant_id)
    return _embed_messages(rows, make_run_budget(), ("pk",), priority)


def retry_failed_messages(
    *, tenant_id: int, passage_ids: Sequence[int] | None = None, requested_by: str = "system"
) -> int:
    """How many of a tenant's messages that were given up, or left waiting, are tried again: all, or the chosen ones.

    Their tries count from none; a run of the tenant's backlog is queued. Leaves a log line with who asked.
    """
    rows = filter_orphans(MessagePassage.objects.filter(tenant_id=tenant_id))
    if passage_ids is not None:
        rows = rows.filter(pk__in=passage_ids)
    with transaction.atomic():
        locked = list(rows.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
        MessagePassage.objects.filter(pk__in=locked).update(
            embedding_state=EmbeddingState.PENDING, embedding_attempts=0, embedding_error=""
        )
        queue_recovery(tenant_id)
    logger.info("messages_retried", tenant_id=tenant_id, messages=len(locked), requested_by=requested_by)
    return len(locked)


def _embed_messages(
    rows: QuerySet[MessagePassage], budget: RunBudget, order: Sequence[str], priority: str
) -> EmbeddingReport:
    embedder = get_message_embedder()
    columns = {"embedder": name_vector_space(embedder)}

    def embed_batch(batch: QuerySet[MessagePassage]) -> EmbeddingReport:
        report = EmbeddingReport()
        passages = list(batch.select_related("message__conversation").defer("lexemes", "bm25"))
        notify_readers([passage.message for passage in passages])
        for embedded, failed in embed_passages(
            embedder, MessagePassage.objects.all(), passages, lambda passage: passage.message.content, columns=columns
        ):
            report += EmbeddingReport(len(embedded), failed)
            _observe_latency(embedded, priority)
        return report

    return embed_in_batches(rows, budget, order, embed_batch, batch_size=embedder.batch_size)


def _observe_latency(passages: Sequence[MessagePassage], priority: str) -> None:
    now = timezone.now()
    for passage in passages:
        ENRICHMENT_SECONDS.labels(priority=priority).observe((now - passage.created_at).total_seconds())
