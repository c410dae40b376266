"""Vectors for passages that were written without one."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from knowledge.canon.core.chunks import embedded_text
from knowledge.canon.models import DomainIndex, LorePassage
from knowledge.errors import EmbedderUnavailable
from knowledge.search.backlog import EmbeddingReport, RunBudget, embed_in_batches, make_run_budget
from knowledge.search.embedding import get_embedder
from knowledge.search.enrichment import embed_passages
from knowledge.search.models import EmbeddingState


def embed_pending_passages(domain_index_id: int | None = None, *, limit: int = 2000) -> EmbeddingReport:
    """How many waiting passages got a vector or were given up, of one domain index or of all.

    Texts go to the embedder outside transactions; an answer is written only where the passage still waits, and a batch
    is claimed by one worker, so two runs at once do no harm. A refused text fails at once, a text that breaks the
    endpoint after three tries; while the endpoint answers nothing at all, no try is counted. Raises
    EmbedderUnavailable then, with the rest still waiting.
    """
    indexes = DomainIndex.objects.all()
    if domain_index_id is not None:
        indexes = indexes.filter(pk=domain_index_id)
    report = EmbeddingReport()
    for index in _filter_waiting(indexes):
        report += _try_index(index, RunBudget(limit))
    if report.outage is not None:
        raise report.outage
    return report


def embed_passage_backlog(tenant_id: int) -> EmbeddingReport:
    """What one run over a tenant's waiting passages did, with the outage that it met in one of the domains.

    Domains come in an order of chance: a large one keeps the others waiting for a run or two, not until it is done.
    """
    budget, report = make_run_budget(), EmbeddingReport()
    for index in _filter_waiting(DomainIndex.objects.filter(tenant_id=tenant_id)).order_by("?"):
        if budget.is_spent:
            break
        report += _try_index(index, budget)
    return report


def retry_failed_embeddings(domain_index_id: int) -> int:
    """How many failed passages wait for a vector again."""
    return LorePassage.objects.filter(domain_index_id=domain_index_id, embedding_state=EmbeddingState.FAILED).update(
        embedding_state=EmbeddingState.PENDING, embedding_attempts=0, embedding_error=""
    )


def _filter_waiting(indexes: QuerySet[DomainIndex]) -> QuerySet[DomainIndex]:
    return indexes.filter(
        Exists(LorePassage.objects.filter(domain_index_id=OuterRef("pk"), embedding_state=EmbeddingState.PENDING))
    )


def _try_index(index: DomainIndex, budget: RunBudget) -> EmbeddingReport:
    """As `_embed_index`; an outage is told in the report, since another domain's embedder may answer."""
    try:
        return _embed_index(index, budget)
    except EmbedderUnavailable as error:
        return EmbeddingReport(outage=error)


def _embed_index(index: DomainIndex, budget: RunBudget) -> EmbeddingReport:
    embedder = get_embedder(index.domain)
    rows = LorePassage.objects.filter(domain_index=index)
    unreachable = rows.filter(embedding_state=EmbeddingState.PENDING).exclude(
        vector_space__embedder=embedder.name, vector_space__dims=embedder.dims
    )
    given_up = unreachable.update(
        embedding_state=EmbeddingState.FAILED,
        embedding_error="The domain's embedder has changed since; re-index the domain.",
    )

    def embed_batch(batch: QuerySet[LorePassage]) -> EmbeddingReport:
        report = EmbeddingReport()
        passages = list(batch.select_related("chunk").defer("lexemes", "bm25"))
        for embedded, failed in embed_passages(embedder, LorePassage.objects.all(), passages, _get_text):
            report += EmbeddingReport(len(embedded), failed)
        return report

    report = embed_in_batches(rows, budget, ("embedding_attempts", "pk"), embed_batch, batch_size=embedder.batch_size)
    return EmbeddingReport(failed=given_up, taken=given_up) + report


def _get_text(passage: LorePassage) -> str:
    return embedded_text(passage.chunk.title, passage.chunk.heading_path, passage.chunk.text)
