"""Stored messages indexed anew, after a change of the analysis or of BM25's settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from pgvector import SparseVector

from episodes.embedding.models.passages import PARTITION_KIND
from episodes.models import MessagePassage
from knowledge.config import MessageSettings, get_message_settings
from knowledge.search.core.bm25 import BM25Params
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.index_rows import IndexedText, index_text

MESSAGE_BATCH_SIZE = 500
_KEYWORD_SIDE = ("length", "lexemes", "bm25")


@dataclass(frozen=True, slots=True)
class ReindexProgress:
    """How far a run is."""

    looked_at: int
    changed: int
    last_id: int
    """The passage that was looked at last: a run that was killed goes on behind it."""


def reindex_messages(
    *, tenant_id: int | None = None, after: int = 0, at_once: int = MESSAGE_BATCH_SIZE
) -> Iterator[ReindexProgress]:
    """Gives each message the keyword side that it would be stored with now; yields after each batch.

    Vectors stay, and so do rows that are right already, so every run may be repeated. Each batch is a transaction of
    its own: searches go on, in between with old and new weights side by side. What is forgotten meanwhile stays so.
    """
    settings = get_message_settings()
    progress = ReindexProgress(0, 0, after)
    while passages := _read(tenant_id, progress.last_id, at_once):
        wanted = {passage.pk: _index(passage, settings) for passage in passages}
        wrong = [passage.pk for passage in passages if not _is_right(passage, wanted[passage.pk])]
        changed = _write(wrong, wanted) if wrong else 0
        progress = ReindexProgress(progress.looked_at + len(passages), progress.changed + changed, passages[-1].pk)
        yield progress


def _read(tenant_id: int | None, after: int, at_once: int) -> Sequence[MessagePassage]:
    rows = MessagePassage.objects.filter(pk__gt=after).order_by("pk").select_related("message")
    if tenant_id is not None:
        rows = rows.filter(tenant_id=tenant_id)
    return list(rows.only("end_user_id", *_KEYWORD_SIDE, "message__content")[:at_once])


def _index(passage: MessagePassage, settings: MessageSettings) -> IndexedText:
    return index_text(
        passage.message.content,
        partition_id=build_partition_id(PARTITION_KIND, passage.end_user_id),
        pivot=settings.pivot,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )


def _is_right(passage: MessagePassage, wanted: IndexedText) -> bool:
    return (
        passage.length == wanted.length and passage.lexemes == wanted.lexemes and _are_equal(passage.bm25, wanted.bm25)
    )


def _are_equal(stored: SparseVector, wanted: SparseVector) -> bool:
    """Whether two vectors agree as far as single precision goes."""
    return sorted(stored.indices()) == sorted(wanted.indices()) and np.allclose(
        _list_values(stored), _list_values(wanted), rtol=1e-5
    )


def _list_values(vector: SparseVector) -> list[float]:
    return [value for _, value in sorted(zip(vector.indices(), vector.values(), strict=True))]


def _write(ids: Sequence[int], wanted: dict[int, IndexedText]) -> int:
    """How many of the passages are still there, and right from now on. Locks them in order."""
    with transaction.atomic():
        rows = list(MessagePassage.objects.select_for_update(no_key=True).filter(pk__in=ids).only("pk").order_by("pk"))
        for row in rows:
            indexed = wanted[row.pk]
            row.length, row.lexemes, row.bm25 = indexed.length, indexed.lexemes, indexed.bm25
        return MessagePassage.objects.bulk_update(rows, _KEYWORD_SIDE) if rows else 0
