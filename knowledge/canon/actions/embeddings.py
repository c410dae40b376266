"""Vectors for passages that were written without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.canon.core.chunks import embedded_text
from knowledge.canon.models import DomainIndex, LorePassage
from knowledge.errors import EmbedderUnavailable
from knowledge.search.embedding import Embedder, get_embedder
from knowledge.search.enriching import embed_passages
from knowledge.search.models import EmbeddingState

PASSAGES_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class EmbeddingReport:
    """What a run over the embedding queue did."""

    done: int = 0
    failed: int = 0

    def __add__(self, other: EmbeddingReport) -> EmbeddingReport:
        return EmbeddingReport(self.done + other.done, self.failed + other.failed)


def embed_pending_passages(domain_index_id: int | None = None, *, limit: int = 2000) -> EmbeddingReport:
    """How many waiting passages got a vector or were given up, of one domain index or of all.

    Texts go to the embedder outside transactions; an answer is written only where the passage still waits, so two runs
    at once do no harm. A refused text fails at once, a text that breaks the endpoint after three tries; while the
    endpoint answers nothing at all, no try is counted. Raises EmbedderUnavailable then, with the rest still waiting.
    """
    waiting = LorePassage.objects.filter(embedding_state=EmbeddingState.PENDING)
    if domain_index_id is not None:
        waiting = waiting.filter(domain_index_id=domain_index_id)
    report = EmbeddingReport()
    outage: EmbedderUnavailable | None = None
    for index_id in list(waiting.order_by().values_list("domain_index_id", flat=True).distinct()):
        try:
            report += _embed_index(DomainIndex.objects.get(pk=index_id), limit)
        except EmbedderUnavailable as error:
            outage = error
    if outage is not None:
        raise outage
    return report


def retry_failed_embeddings(domain_index_id: int) -> int:
    """How many failed passages wait for a vector again."""
    return LorePassage.objects.filter(domain_index_id=domain_index_id, embedding_state=EmbeddingState.FAILED).update(
        embedding_state=EmbeddingState.PENDING, embedding_attempts=0, embedding_error=""
    )


def _embed_index(index: DomainIndex, limit: int) -> EmbeddingReport:
    embedder = get_embedder(index.domain)
    waiting = LorePassage.objects.filter(domain_index=index, embedding_state=EmbeddingState.PENDING)
    unreachable = waiting.exclude(vector_space__embedder=embedder.name, vector_space__dims=embedder.dims)
    report = EmbeddingReport(
        failed=unreachable.update(
            embedding_state=EmbeddingState.FAILED,
            embedding_error="The domain's embedder has changed since; re-index the domain.",
        )
    )
    taken = 0
    while taken < limit:
        passages = list(
            waiting.select_related("chunk")
            .defer("lexemes", "bm25")
            .order_by("embedding_attempts", "id")[: min(PASSAGES_AT_ONCE, limit - taken)]
        )
        if not passages:
            break
        taken += len(passages)
        report += _embed_passages(embedder, passages)
    return report


def _embed_passages(embedder: Embedder, passages: Sequence[LorePassage]) -> EmbeddingReport:
    report = EmbeddingReport()
    for embedded, failed in embed_passages(embedder, LorePassage.objects.all(), passages, _get_text):
        report += EmbeddingReport(len(embedded), failed)
    return report


def _get_text(passage: LorePassage) -> str:
    return embedded_text(passage.chunk.title, passage.chunk.heading_path, passage.chunk.text)
