"""Found messages as episode cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from pgvector import HalfVector

from episodes.conversations.core.excerpts import make_excerpt
from episodes.models import MessageRole
from episodes.search.core import (
    SPAN_LENGTH,
    SPAN_MESSAGES,
    EpisodeCard,
    SpanMessage,
    allows_span,
    needs_span,
    takes_snippet,
)
from knowledge.search.core.fusion import FusedHit
from knowledge.search.embedding.base import Vectors
from knowledge.search.sql import read_query
from memoryproject.prepared import prepared_cursor
from memoryproject.rows import fetch_rows

CARDS = Path(__file__).parent.parent / "sql" / "episode_cards.sql"


def load_cards(
    hits: Sequence[FusedHit], *, tenant_id: int, query: str, query_vector: Vectors | None, vector_space: str
) -> tuple[EpisodeCard, ...]:
    """The hits in their order, quoted, short and pointing ones with what was said before. One query, none for no hits.

    What was forgotten since the search is left out. Source: seed 002, fixes 4A and 5B.
    """
    if not hits:
        return ()
    with prepared_cursor() as cursor:
        cursor.execute(
            read_query(CARDS),
            {
                "tenant_id": tenant_id,
                "passage_ids": [hit.id for hit in hits],
                "span": SPAN_MESSAGES if allows_span(query) else 0,
                "span_length": SPAN_LENGTH,
                "query_vector": None if query_vector is None else HalfVector(query_vector).to_text(),
                "vector_space": vector_space,
            },
        )
        rows = fetch_rows(cursor)
    found = {id_: list(group) for id_, group in groupby(rows, key=lambda row: row["passage_id"])}
    kept = (hit for hit in hits if hit.id in found)
    return tuple(_build_card(hit, found[hit.id], place) for place, hit in enumerate(kept, start=1))


def _build_card(hit: FusedHit, rows: Sequence[dict[str, Any]], place: int) -> EpisodeCard:
    row = rows[0]
    excerpt = make_excerpt(row["content"], memory_type=row["memory_type"])
    return EpisodeCard(
        message_id=row["message_id"],
        conversation_id=row["conversation_id"],
        seq=row["seq"],
        sent_at=row["sent_at"],
        role=row["role"],
        npc_id=row["npc_id"],
        memory_type=row["memory_type"],
        mood=row["mood"],
        language=row["language"],
        raw_excerpt=excerpt,
        snippet=_choose_snippet(row),
        span_context=_build_span(rows) if needs_span(excerpt) else (),
        score=hit.score,
        parts=hit,
        fused_place=place,
        takes_snippet=takes_snippet(
            role=row["role"],
            memory_type=row["memory_type"],
            length=row["content_length"],
            response_description=row["response_description"],
        ),
        snippet_version=row["snippet_version"],
    )


def _choose_snippet(row: dict[str, Any]) -> str:
    described: str = row["response_description"] if row["role"] == MessageRole.ASSISTANT else ""
    snippet: str = row["snippet"]
    return described or snippet


def _build_span(rows: Iterable[dict[str, Any]]) -> tuple[SpanMessage, ...]:
    """The messages before in the order in which they were said; the last one of the assistant's is what is answered."""
    before = [row for row in rows if row["span_id"] is not None]
    core = next((row["span_id"] for row in reversed(before) if row["span_role"] == MessageRole.ASSISTANT), None)
    return tuple(
        SpanMessage(
            message_id=row["span_id"],
            seq=row["span_seq"],
            role=row["span_role"],
            text=row["span_text"],
            is_core=row["span_id"] == core,
            cosine=row["span_cosine"],
        )
        for row in before
    )
