"""Texts that wait for vectors are worked off in runs of bounded size and time, each batch claimed by one worker."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import redis
import structlog
from django.conf import settings
from django.db.models import QuerySet

from knowledge.errors import EmbedderUnavailable
from knowledge.search.embedding_rate import record_embedded
from knowledge.search.models import EmbeddingState, Passage
from memoryproject.redis import build_key, get_redis

log = structlog.get_logger("memory37.enrichment")

BATCH_SIZE = 64
"""Texts that are claimed and asked for at once: one request of most endpoints, and all that a killed worker holds."""
CLAIM_SECONDS = 60
"""A killed worker's batch is free again after so long. A batch that takes longer may be asked for twice, no more."""
AnyPassage = TypeVar("AnyPassage", bound=Passage)
_DELETE_OWN = "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1])"


@dataclass(frozen=True, slots=True)
class EmbeddingReport:
    """What a run over waiting texts did: how many got a vector, and how many were given up."""

    done: int = 0
    failed: int = 0
    taken: int = field(default=0, compare=False)
    """How many were tried, those included that wait on."""
    outage: EmbedderUnavailable | None = field(default=None, compare=False)
    """What ended the run early, where it had work done before."""

    def __add__(self, other: EmbeddingReport) -> EmbeddingReport:
        return EmbeddingReport(
            self.done + other.done, self.failed + other.failed, self.taken + other.taken, self.outage or other.outage
        )


@dataclass(slots=True)
class RunBudget:
    """What is left of one run: rows, and time by the monotonic clock. It is looked at between batches."""

    rows: int
    until: float = float("inf")

    @property
    def is_spent(self) -> bool:
        """Whether the run takes no further batch."""
        return self.rows <= 0 or time.monotonic() >= self.until


def make_run_budget() -> RunBudget:
    """The budget of one run of the backlog, by the settings."""
    return RunBudget(settings.EMBEDDING_RUN_SIZE, time.monotonic() + settings.EMBEDDING_RUN_SECONDS)


def embed_in_batches(
    rows: QuerySet[AnyPassage],
    budget: RunBudget,
    order: Sequence[str],
    embed_batch: Callable[[QuerySet[AnyPassage]], EmbeddingReport],
    *,
    batch_size: int = BATCH_SIZE,
) -> EmbeddingReport:
    """What became of the waiting rows of `rows`, in `order`, until the budget is spent or none is free.

    `embed_batch` gets those of a batch that no other worker holds. A row that it leaves waiting comes again, so it has
    to count its tries. Raises EmbedderUnavailable; what was done before stands.
    """
    waiting = rows.filter(embedding_state=EmbeddingState.PENDING)
    report = EmbeddingReport()
    held_elsewhere: set[int] = set()
    while not budget.is_spent:
        free = waiting.exclude(pk__in=held_elsewhere) if held_elsewhere else waiting
        ids = list(free.order_by(*order).values_list("pk", flat=True)[: min(batch_size, budget.rows)])
        if not ids:
            break
        with claim_rows(rows.model.__name__, ids) as claimed:
            held_elsewhere.update(set(ids) - set(claimed))
            if claimed:
                budget.rows -= len(claimed)
                # Read anew under the claim: what another worker finished a moment ago is not asked for again.
                embedded = embed_batch(waiting.filter(pk__in=claimed).order_by(*order))
                record_embedded(embedded.done)
                report += embedded
                report += EmbeddingReport(taken=len(claimed))
    return report


@contextmanager
def claim_rows(kind: str, ids: Sequence[int]) -> Iterator[list[int]]:
    """Those of the ids that no other worker holds; they are this one's until the block ends, or for CLAIM_SECONDS.

    Claims live in Redis, since no row may be locked while an embedder is asked. Without Redis all are given out: an
    answer is written only where a row still waits, so what is asked for twice costs time and nothing else.
    """
    token = uuid.uuid4().hex
    keys = {row_id: build_key("embedding-claim", kind, row_id) for row_id in ids}
    try:
        pipeline = get_redis().pipeline(transaction=False)
        for key in keys.values():
            pipeline.set(key, token, nx=True, ex=CLAIM_SECONDS)
        answers = pipeline.execute()
    except redis.RedisError as error:
        log.warning("embedding_not_claimed", error=type(error).__name__)
        yield list(ids)
        return
    claimed = [row_id for row_id, answer in zip(ids, answers, strict=True) if answer]
    try:
        yield claimed
    finally:
        _release([keys[row_id] for row_id in claimed], token)


def _release(keys: Sequence[str], token: str) -> None:
    try:
        pipeline = get_redis().pipeline(transaction=False)
        for key in keys:
            pipeline.eval(_DELETE_OWN, 1, key, token)
        pipeline.execute()
    except redis.RedisError as error:
        log.warning("embedding_claim_left", error=type(error).__name__, seconds=CLAIM_SECONDS)
