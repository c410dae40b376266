"""The search index's side of summaries: put in, taken out by their time, given their vectors."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import partial

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from episodes.campaigns.core.summaries import SummaryDraft, read_summary
from episodes.campaigns.models.summaries import SUMMARY_PARTITION_KIND
from episodes.embedding.actions.queue import publish_in_one_try
from episodes.embedding.priorities import PRIORITY_HIGH
from episodes.models import Campaign, CampaignState, EpisodicSummary, SummaryPassage
from knowledge.config import get_episode_settings
from knowledge.search.backlog import BATCH_SIZE, EmbeddingReport, RunBudget, embed_in_batches, make_run_budget
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.embedding import get_episode_embedder, name_vector_space
from knowledge.search.enrichment import embed_passages
from knowledge.search.index_rows import hash_embedded_text, index_text
from knowledge.search.models import EmbeddingState
from memoryproject.celery import find_task
from memoryproject.database import after_commit

EXPIRY_BATCH_SIZE = 500


def build_passage(summary: EpisodicSummary, draft: SummaryDraft) -> SummaryPassage:
    """The index row of a summary, without a vector and not stored yet."""
    settings = get_episode_settings()
    text = draft.as_search_text()
    indexed = index_text(
        text,
        partition_id=build_partition_id(SUMMARY_PARTITION_KIND, summary.campaign_id),
        pivot=settings.pivot,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )
    return SummaryPassage(
        tenant_id=summary.tenant_id,
        summary=summary,
        campaign_id=summary.campaign_id,
        party_id=summary.party_id,
        language=summary.language,
        length=indexed.length,
        lexemes=indexed.lexemes,
        bm25=indexed.bm25,
        embedding_hash=hash_embedded_text(text),
    )


def index_campaign(campaign: Campaign) -> int:
    """How many summaries of the campaign were put into the index that were not in it and have not expired."""
    missing = campaign.summaries.living().filter(expired_at__isnull=True, passage__isnull=True).order_by("seq")
    now = timezone.now()
    rows = [build_passage(summary, read_summary(summary.body, now=now)) for summary in missing.iterator(500)]
    return len(SummaryPassage.objects.bulk_create(rows, batch_size=500))


def queue_summary_embedding(campaign_id: int) -> None:
    """Enqueue once the transaction holds. A broker that is down costs a log line; the sweeper catches up."""
    enqueue = partial(
        find_task("episodes.embed_summaries").apply_async, (campaign_id,), priority=PRIORITY_HIGH, retry=False
    )
    after_commit(publish_in_one_try, enqueue)


def expire_summaries(*, now: dt.datetime | None = None) -> int:
    """How many summaries left the index because their world's days are over; the rows stay for the archive.

    The days count from when a summary was stored, or its campaign restored. Locks summaries in the order of ids.
    """
    moment, expired = now or timezone.now(), 0
    while True:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                """
                SELECT s.id FROM episodes_episodicsummary s
                JOIN episodes_campaign c ON c.id = s.campaign_id
                LEFT JOIN episodes_worldplaypolicy p ON p.world_id = s.world_id
                WHERE s.expired_at IS NULL AND c.state <> %s
                    AND greatest(s.created_at, c.restored_at)
                        < %s - make_interval(days => coalesce(p.summary_ttl_days, %s))
                ORDER BY s.id LIMIT %s FOR UPDATE OF s SKIP LOCKED
                """,
                [CampaignState.ARCHIVED, moment, get_episode_settings().ttl_days, EXPIRY_BATCH_SIZE],
            )
            ids = [row[0] for row in cursor.fetchall()]
            if not ids:
                return expired
            SummaryPassage.objects.filter(summary_id__in=ids).delete()
            expired += EpisodicSummary.objects.filter(pk__in=ids).update(expired_at=moment)


def embed_summaries(campaign_id: int, *, limit: int = BATCH_SIZE) -> EmbeddingReport:
    """What became of a campaign's waiting summaries, the newest first, up to `limit` of them.

    Texts go to the embedder outside transactions; an answer is written only where the passage still waits. Raises
    EmbedderUnavailable while the endpoint answers nothing at all, with the rest still waiting.
    """
    rows = SummaryPassage.objects.filter(campaign_id=campaign_id)
    return _embed_summaries(rows, RunBudget(limit), ("embedding_attempts", "-pk"))


def embed_summary_backlog(tenant_id: int) -> EmbeddingReport:
    """What became of a tenant's waiting summaries, the oldest first, within one run's budget. Raises as above."""
    return _embed_summaries(SummaryPassage.objects.filter(tenant_id=tenant_id), make_run_budget(), ("pk",))


def _embed_summaries(rows: QuerySet[SummaryPassage], budget: RunBudget, order: Sequence[str]) -> EmbeddingReport:
    embedder, now = get_episode_embedder(), timezone.now()
    columns = {"embedder": name_vector_space(embedder)}

    def get_text(passage: SummaryPassage) -> str:
        return read_summary(passage.summary.body, now=now).as_search_text()

    def embed_batch(batch: QuerySet[SummaryPassage]) -> EmbeddingReport:
        report = EmbeddingReport()
        passages = list(batch.select_related("summary").defer("lexemes", "bm25"))
        for embedded, failed in embed_passages(
            embedder, SummaryPassage.objects.all(), passages, get_text, columns=columns
        ):
            report += EmbeddingReport(len(embedded), failed)
        return report

    return embed_in_batches(rows, budget, order, embed_batch, batch_size=embedder.batch_size)


def renew_vectors() -> int:
    """How many summaries whose vectors another embedder made wait for new ones."""
    space = name_vector_space(get_episode_embedder())
    return (
        SummaryPassage.objects.filter(embedding_state=EmbeddingState.DONE)
        .exclude(embedder=space)
        .update(embedding=None, embedder="", embedding_state=EmbeddingState.PENDING, embedding_attempts=0)
    )
