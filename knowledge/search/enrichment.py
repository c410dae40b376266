"""Vectors for passages that wait for one, whatever table they stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from django.db import transaction
from django.db.models import F, QuerySet
from pgvector import HalfVector

from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable
from knowledge.search.embedding import Embedder, embed_in_halves
from knowledge.search.embedding.base import Answers, Outage, check_answers, embed_each, refuse_outage
from knowledge.search.models import EmbeddingState, Passage

MAX_ATTEMPTS = 3
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
    at once, one that breaks the endpoint after three tries, with whatever status. Raises EmbedderUnavailable when the
    endpoint does not answer at all; what was yielded before stands.

    A text may also take the endpoint down, so that nothing answers after it. What was asked for when that happened is
    suspected: it goes alone next time, once the endpoint is seen to live, and then each outage counts as its own try.
    """
    fresh = [passage for passage in passages if not passage.embedding_error]
    suspects = [passage for passage in passages if passage.embedding_error]
    try:
        for portion, answers in embed_in_halves(embedder, fresh, get_text) if fresh else ():
            yield _settle(rows, portion, answers, columns or {})
    except EmbedderUnavailable as outage:
        waiting = rows.filter(pk__in=[passage.pk for passage in fresh], embedding_state=EmbeddingState.PENDING)
        waiting.filter(embedding_error="").update(embedding_error=outage.detail)
        raise
    if suspects:
        check_answers(embedder)
    for passage in suspects:
        try:
            alone: Answers | Outage = embed_each(embedder, [get_text(passage)])
        except (EmbedderUnavailable, EmbedderMisbehaves) as error:
            alone = error
        yield _settle(rows, [passage], alone, columns or {})
        if not isinstance(alone, list):
            refuse_outage(embedder, alone)


def _settle(
    rows: QuerySet[AnyPassage], portion: Sequence[AnyPassage], answers: Answers | Outage, columns: Mapping[str, Any]
) -> tuple[list[AnyPassage], int]:
    if not isinstance(answers, list):
        return [], _count_attempt(rows, portion[0], answers)
    with transaction.atomic():
        return _write_answers(rows, portion, answers, columns)


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
    return row.filter(embedding_attempts__gte=MAX_ATTEMPTS).update(embedding_state=EmbeddingState.FAILED)
