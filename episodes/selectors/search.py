"""Search in what one user and the assistant said: what a query finds, why, and what the search did without."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils import timezone

from episodes.core.cards import EpisodeCard
from episodes.models.passages import SCOPE_KIND
from episodes.selectors.search_cards import load_cards
from knowledge.canon.selectors.search import MAX_K, check_query
from knowledge.config import MessageSettings, get_message_settings
from knowledge.errors import InvalidQuery
from knowledge.search.core.bm25 import BM25Params, QueryPlan, plan_query
from knowledge.search.core.fusion import FusedHit
from knowledge.search.core.lexemes import build_scope_id, scoped_lexeme
from knowledge.search.embedding import Embedder, get_message_embedder, name_vector_space
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import FRESH, RankedPassages
from knowledge.search.query_embedding import embed_query
from knowledge.search.rerank import rerank_texts
from knowledge.search.sql import read_query
from knowledge.search.turn_rows import TurnScope
from knowledge.search.turns import search_turns
from knowledge.text.queries import count_query_lexemes, list_language_gaps
from memoryproject.chat_model import find_chat_model

STATISTICS = Path(__file__).parent.parent / "sql" / "scope_statistics.sql"
HEAD_LENGTH, ENDING_LENGTH = 600, 80
"""Characters of a message that ranking reads: words of time and neighbouring words; whether it ends by asking."""
ANY_MESSAGE = "TRUE"
WANTED_MESSAGE = (
    "EXISTS (SELECT 1 FROM episodes_message w WHERE w.id = p.message_id"
    " AND (%(role)s::text IS NULL OR w.role = %(role)s)"
    " AND (%(npc_id)s::text IS NULL OR w.npc_id = %(npc_id)s)"
    " AND (%(since)s::timestamptz IS NULL OR w.sent_at >= %(since)s)"
    " AND (%(until)s::timestamptz IS NULL OR w.sent_at < %(until)s))"
)
FRESH_MESSAGE = (
    "p.embedding_state = 'pending' AND p.created_at > %(fresh_since)s AND EXISTS (SELECT 1 FROM episodes_message f"
    " WHERE f.id = p.message_id AND f.role = 'user' AND f.sent_at > %(fresh_since)s)"
)
SAID = """
SELECT m.sent_at AS said_at,
       CASE WHEN m.role = 'user' THEN 'user' ELSE 'assistant' END AS speaker,
       CASE WHEN m.role = 'user' THEN v.user_name
            WHEN m.npc_id IN ('', v.npc_id) THEN COALESCE(NULLIF(v.assistant_name, ''), replace(m.npc_id, '-', ' '))
            ELSE replace(m.npc_id, '-', ' ') END AS speaker_name,
       left(m.content, %(head_length)s) AS head,
       right(m.content, %(ending_length)s) AS ending
FROM episodes_message m JOIN episodes_conversation v ON v.id = m.conversation_id WHERE m.id = p.message_id
"""


@dataclass(frozen=True, slots=True)
class EpisodeFilters:
    """Which messages may be found; None means any."""

    world_id: int | None = None
    """Conversations of that world only."""
    or_without_world: bool = False
    """With `world_id`, also conversations that belong to no world."""
    conversation_id: int | None = None
    role: str | None = None
    npc_id: str | None = None
    """Only what was said to that NPC and by it; empty: where none took part."""
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    """Said before that time."""

    @property
    def takes_all(self) -> bool:
        """Whether every message of the scope will do."""
        return (self.role, self.npc_id, self.since, self.until) == (None, None, None, None)


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """What a search found among a user's messages."""

    query: str
    cards: tuple[EpisodeCard, ...]
    degraded: tuple[str, ...]
    """What the search had to do without, as codes; empty when all went well."""
    embedder: str
    """Name and dimensions of what made the vectors that were compared."""
    candidates: tuple[FusedHit, ...]
    """All messages that were looked at, best first, with every score; `id` is the passage's."""
    keyword_rounds: int


ANY = EpisodeFilters()


def search_episodes(
    *,
    tenant_id: int,
    end_user_id: int,
    query: str,
    k: int | None = None,
    filters: EpisodeFilters = ANY,
    rerank: bool | None = None,
    settings: MessageSettings | None = None,
) -> EpisodeResult:
    """The best `k` messages of a user as episode cards. Three queries and the query's embedding, whatever the size.

    Exact: keywords by BM25 with the user's own statistics, vectors by a scan of the user's messages. A message just
    said is found before it has a vector. `rerank` None follows `config/knowledge.yaml`. Raises InvalidQuery.
    """
    settings = settings or get_message_settings()
    check_query(query)
    limit = settings.retrieval.k_context if k is None else k
    if not 1 <= limit <= MAX_K:
        raise InvalidQuery(f"k must lie between 1 and {MAX_K}.", code="k_out_of_range")
    embedder = get_message_embedder()
    vector, degraded = _embed(embedder, query, settings)
    pool = _Pool(tenant_id, end_user_id, name_vector_space(embedder))
    plan, missing = _plan(pool, query, settings)
    wants_rerank = settings.retrieval.rerank.enabled if rerank is None else rerank
    depth = max(limit, settings.retrieval.rerank.candidates) if wants_rerank else limit
    ranked = RankedPassages(hits=(), keyword_rounds=0)
    if plan is not None:
        ranked = search_turns(
            _scope(pool, filters),
            query=query,
            plan=plan,
            query_vector=vector,
            settings=settings,
            semantic=embedder.is_semantic,
            limit=depth,
        )
    cards = load_cards(
        ranked.hits[:depth], tenant_id=tenant_id, query=query, query_vector=vector, vector_space=pool.vector_space
    )
    if wants_rerank and len(cards) > 1:
        cards, failure = _rerank(query, cards, settings)
        degraded += [failure] if failure else []
    return EpisodeResult(
        query=query,
        cards=cards[:limit],
        degraded=(*degraded, *missing, *list_language_gaps(query)),
        embedder=pool.vector_space,
        candidates=ranked.hits,
        keyword_rounds=ranked.keyword_rounds,
    )


def list_query_embedders() -> list[Embedder]:
    """Whom a search asks for its query's vector."""
    return [] if get_message_settings().retrieval.mode == "keyword" else [get_message_embedder()]


@dataclass(frozen=True, slots=True)
class _Pool:
    """Whose messages share their statistics."""

    tenant_id: int
    end_user_id: int
    vector_space: str

    @property
    def scope_id(self) -> int:
        return build_scope_id(SCOPE_KIND, self.end_user_id)


def _embed(embedder: Embedder, query: str, settings: MessageSettings) -> tuple[Vectors | None, list[str]]:
    if settings.retrieval.mode == "keyword":
        return None, []
    vector, failure = embed_query(embedder, query)
    if vector is not None and not vector.any():
        vector = None
    return vector, [failure] if failure else []


def _plan(pool: _Pool, query: str, settings: MessageSettings) -> tuple[QueryPlan | None, list[str]]:
    """The query's terms weighed by the user's own messages, and what these lack; no plan where there are none."""
    counts = count_query_lexemes(query)
    by_hash = {scoped_lexeme(pool.scope_id, lexeme): lexeme for lexeme in counts}
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(STATISTICS),
            {
                "tenant_id": pool.tenant_id,
                "end_user_id": pool.end_user_id,
                "lexemes": list(by_hash),
                "vector_space": pool.vector_space,
            },
        )
        rows = {row[0]: row[1:] for row in cursor.fetchall()}
    messages, waiting, foreign = rows.pop(None)
    if not messages:
        return None, []
    plan = plan_query(
        counts,
        {by_hash[lexeme]: held for lexeme, (held, _, _) in rows.items()},
        document_count=messages,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )
    if settings.retrieval.mode == "keyword":
        return plan, []
    missing = (("embeddings_pending", waiting), ("embedder_changed", foreign))
    return plan, [code for code, count in missing if count]


def _scope(pool: _Pool, filters: EpisodeFilters) -> TurnScope:
    """The user's messages, or one conversation's; other filters leave the neighbours' scores as they are."""
    parameters: dict[str, Any] = {
        "tenant_id": pool.tenant_id,
        "end_user_id": pool.end_user_id,
        "fresh_since": timezone.now() - FRESH,
        "head_length": HEAD_LENGTH,
        "ending_length": ENDING_LENGTH,
        "role": filters.role,
        "npc_id": filters.npc_id,
        "since": filters.since,
        "until": filters.until,
    }
    where = "p.tenant_id = %(tenant_id)s AND p.end_user_id = %(end_user_id)s"
    if filters.conversation_id is not None:
        where += " AND p.conversation_id = %(conversation_id)s"
        parameters["conversation_id"] = filters.conversation_id
    if filters.world_id is not None:
        where += (
            " AND EXISTS (SELECT 1 FROM episodes_conversation s"
            " WHERE s.id = p.conversation_id"
            " AND (s.world_id = %(world_id)s OR (s.world_id IS NULL AND %(or_without_world)s)))"
        )
        parameters["or_without_world"] = filters.or_without_world
        parameters["world_id"] = filters.world_id
    return TurnScope(
        table="episodes_messagepassage",
        scope_id=pool.scope_id,
        where=where,
        wanted=ANY_MESSAGE if filters.takes_all else WANTED_MESSAGE,
        fresh=FRESH_MESSAGE,
        said=SAID,
        parameters=parameters,
        vector_space=pool.vector_space,
    )


def _rerank(
    query: str, cards: tuple[EpisodeCard, ...], settings: MessageSettings
) -> tuple[tuple[EpisodeCard, ...], str | None]:
    head = cards[: settings.retrieval.rerank.candidates]
    outcome = rerank_texts(
        find_chat_model(),
        query,
        [card.raw_excerpt for card in head],
        timeout_seconds=settings.retrieval.rerank.timeout_ms / 1000,
    )
    if outcome.failure:
        return cards, outcome.failure
    reordered = [replace(head[index], rerank_place=place) for place, index in enumerate(outcome.order, start=1)]
    return (*reordered, *cards[len(head) :]), None
