"""Vectors for passages that wait for one, whatever table they stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from django.db import transaction
from django.db.models import F, QuerySet
from pgvector import HalfVector

from knowledge.errors import TextNotEmbeddable
from knowledge.search.embedding import Embedder, embed_in_halves
from knowledge.search.embedding.base import Answers, Outage
from knowledge.search.models import EmbeddingState, Passage

ATTEMPTS_MOST = 3
AnyPassage = TypeVar("AnyPassage", bound=Passage)


def embed_passages(
    embedder: Embedder,
    rows: QuerySet[AnyPassage],
    passages: Sequence[AnyPassage],
    get_text: Callable[[AnyPassage], str],
    *,
    columns: Mapping[str, Any] | None = None,
) -> Iterator[tuple[list[AnyPassage], int]]:
    """For each portion, the passages that got their vectors here, and how many were given up for good.

    `rows` is the passages' whole table, `columns` what is written beside a vector. Texts go to the embedder outside
    transactions; an answer is written, in the order of ids, only where the passage still waits. A refused text fails
    at once, one that breaks the endpoint after three tries. Raises EmbedderUnavailable when the endpoint does not
    answer at all; what was yielded before stands.
    """
    for portion, answers in embed_in_halves(embedder, passages, get_text):
        if isinstance(answers, list):
            with transaction.atomic():
                settled = _write_answers(rows, portion, answers, columns or {})
            yield settled
        else:
            yield [], _count_attempt(rows, portion[0], answers)


def _write_answers(
    rows: QuerySet[AnyPassage], passages: Sequence[AnyPassage], answers: Answers, columns: Mapping[str, Any]
) -> tuple[list[AnyPassage], int]:
    embedded: list[AnyPassage] = []
    failed = 0
    for passage, answer in sorted(zip(passages, answers, strict=True), key=lambda pair: pair[0].pk):
        row = rows.filter(pk=passage.pk, embedding_state=EmbeddingState.PENDING)
        if isinstance(answer, TextNotEmbeddable):
            failed += row.update(
                embedding_state=EmbeddingState.FAILED,
                embedding_attempts=F("embedding_attempts") + 1,
                embedding_error=answer.detail,
            )
        else:
            written = row.update(
                embedding=HalfVector(np.asarray(answer, dtype=np.float32)),
                embedding_state=EmbeddingState.DONE,
                embedding_error="",
                **columns,
            )
            embedded += [passage] * written
    return embedded, failed


def _count_attempt(rows: QuerySet[AnyPassage], passage: AnyPassage, error: Outage) -> int:
    """Count a failed try; 1 when it was the last."""
    row = rows.filter(pk=passage.pk, embedding_state=EmbeddingState.PENDING)
    row.update(embedding_attempts=F("embedding_attempts") + 1, embedding_error=error.detail)
    return row.filter(embedding_attempts__gte=ATTEMPTS_MOST).update(embedding_state=EmbeddingState.FAILED)
