"""Messages whose vectors another embedder made, embedded anew: each keeps the old vector until the new one is there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from pgvector import HalfVector

from episodes.models import MessagePassage
from knowledge.errors import TextNotEmbeddable
from knowledge.search.backlog import claim_rows, make_run_budget
from knowledge.search.embedding import Embedder, embed_each, get_message_embedder, name_vector_space
from knowledge.search.embedding_rate import record_embedded
from knowledge.search.models import EmbeddingState
from tenancy.models import Tenant

logger = structlog.get_logger("memory37.enrichment")


def list_tenants_to_renew() -> list[int]:
    """Tenants with messages in another vector space than the configured one."""
    foreign = _filter_foreign(MessagePassage.objects.filter(tenant_id=OuterRef("pk")), get_message_embedder())
    return list(Tenant.objects.filter(Exists(foreign)).order_by("pk").values_list("pk", flat=True))


def renew_vectors(tenant_id: int, *, after: int = 0) -> int | None:
    """Within one run's budget, a tenant's messages behind passage `after` in the present vector space; where to go on,
    or None when all are through.

    Nothing waits meanwhile: a search compares what is in its space and finds the rest by keywords. A text that the
    embedder refuses keeps its old vector. Raises EmbedderUnavailable; what was done before stands.
    """
    embedder, budget = get_message_embedder(), make_run_budget()
    rows = _filter_foreign(MessagePassage.objects.filter(tenant_id=tenant_id), embedder)
    while not budget.is_spent:
        ids = list(rows.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[: embedder.batch_size])
        if not ids:
            return None
        with claim_rows(MessagePassage.__name__, ids) as claimed:
            record_embedded(_renew_batch(rows.filter(pk__in=claimed), embedder))
        budget.rows -= len(ids)
        after = ids[-1]
    return after


def _filter_foreign(rows: QuerySet[MessagePassage], embedder: Embedder) -> QuerySet[MessagePassage]:
    return rows.filter(embedding_state=EmbeddingState.DONE).exclude(embedder=name_vector_space(embedder))


def _renew_batch(rows: QuerySet[MessagePassage], embedder: Embedder) -> int:
    """How many got their new vectors: not what was replaced or forgotten while the embedder was asked."""
    passages: Sequence[MessagePassage] = list(rows.select_related("message").defer("lexemes", "bm25").order_by("pk"))
    answers = embed_each(embedder, [passage.message.content for passage in passages])
    renewed = refused = 0
    with transaction.atomic():
        for passage, answer in zip(passages, answers, strict=True):
            if isinstance(answer, TextNotEmbeddable):
                refused += 1
                continue
            same = MessagePassage.objects.filter(
                pk=passage.pk, embedding_state=EmbeddingState.DONE, embedder=passage.embedder
            )
            renewed += same.update(
                embedding=HalfVector(np.asarray(answer, dtype=np.float32)), embedder=name_vector_space(embedder)
            )
    if refused:
        logger.warning("vectors_not_renewed", refused=refused, embedder=embedder.name)
    return renewed
