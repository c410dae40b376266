"""Vectors for messages that were stored without one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from django.db import transaction
from django.utils import timezone

from episodes.actions.queueing import queue_recovery
from episodes.metrics import ENRICHMENT_SECONDS
from episodes.models import MessagePassage
from episodes.selectors.enrichment import ORPHAN_AFTER, filter_orphans
from knowledge.search.embedding import Embedder, get_message_embedder, name_vector_space
from knowledge.search.enriching import embed_passages
from knowledge.search.models import EmbeddingState

logger = structlog.get_logger("memory37.enrichment")

MESSAGES_AT_ONCE = 64
MESSAGES_IN_A_RUN = 2000


@dataclass(frozen=True, slots=True)
class EnrichmentReport:
    """What a run over waiting messages did."""

    done: int = 0
    failed: int = 0

    def __add__(self, other: EnrichmentReport) -> EnrichmentReport:
        return EnrichmentReport(self.done + other.done, self.failed + other.failed)


def embed_messages(
    conversation_id: int, *, limit: int = MESSAGES_IN_A_RUN, priority: str = "normal"
) -> EnrichmentReport:
    """How many waiting messages of a conversation got a vector or were given up; one run serves all that wait.

    Texts go to the embedder outside transactions. An answer is written only where the passage still waits, so two runs
    at once do no harm and a message forgotten meanwhile stays without. A refused text fails at once, one that breaks
    the endpoint after three tries; while the endpoint answers nothing at all, no try is counted. `priority` names the
    run in the metrics.
    Raises EmbedderUnavailable then, with the rest still waiting.
    """
    embedder = get_message_embedder()
    report, taken = EnrichmentReport(), 0
    while taken < limit:
        passages = list(
            MessagePassage.objects.filter(conversation_id=conversation_id, embedding_state=EmbeddingState.PENDING)
            .select_related("message")
            .defer("lexemes", "bm25")
            .order_by("embedding_attempts", "seq")[: min(MESSAGES_AT_ONCE, limit - taken)]
        )
        if not passages:
            break
        taken += len(passages)
        report += _embed(embedder, passages, priority)
    return report


def list_orphaned_conversations(*, now: dt.datetime | None = None) -> list[int]:
    """Conversations with messages that have waited for a vector for more than an hour. Source: seed 002, fix 14."""
    waiting = MessagePassage.objects.filter(
        embedding_state=EmbeddingState.PENDING, created_at__lt=(now or timezone.now()) - ORPHAN_AFTER
    )
    return list(waiting.order_by("conversation_id").values_list("conversation_id", flat=True).distinct())


def retry_failed_messages(
    *, tenant_id: int, passage_ids: Sequence[int] | None = None, requested_by: str = "system"
) -> int:
    """How many of a tenant's messages that were given up, or left waiting, are tried again: all, or the chosen ones.

    Their tries count from none; a task for each conversation is queued. Leaves a log line with who asked.
    """
    rows = filter_orphans(MessagePassage.objects.filter(tenant_id=tenant_id))
    if passage_ids is not None:
        rows = rows.filter(pk__in=passage_ids)
    with transaction.atomic():
        locked = list(rows.select_for_update(no_key=True).order_by("pk").values_list("pk", "conversation_id"))
        MessagePassage.objects.filter(pk__in=[pk for pk, _ in locked]).update(
            embedding_state=EmbeddingState.PENDING, embedding_attempts=0, embedding_error=""
        )
        queue_recovery({conversation_id for _, conversation_id in locked})
    logger.info("messages_retried", tenant_id=tenant_id, messages=len(locked), requested_by=requested_by)
    return len(locked)


def _embed(embedder: Embedder, passages: Sequence[MessagePassage], priority: str) -> EnrichmentReport:
    report = EnrichmentReport()
    columns = {"embedder": name_vector_space(embedder)}
    for embedded, failed in embed_passages(
        embedder, MessagePassage.objects.all(), passages, lambda passage: passage.message.content, columns=columns
    ):
        report += EnrichmentReport(len(embedded), failed)
        _tell_latency(embedded, priority)
    return report


def _tell_latency(passages: Sequence[MessagePassage], priority: str) -> None:
    now = timezone.now()
    for passage in passages:
        ENRICHMENT_SECONDS.labels(priority=priority).observe((now - passage.created_at).total_seconds())
