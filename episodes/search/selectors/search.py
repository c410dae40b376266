"""Search in what one user and the assistant said: what a query finds, why, and what the search did without."""

from __future__ import annotations

from dataclasses import dataclass, replace

from episodes.search.core import EpisodeCard
from episodes.search.selectors.cards import load_cards
from episodes.search.selectors.partition import EpisodeFilters, MessagePool, build_partition, plan_search
from knowledge.canon.selectors.search import MAX_K, check_query
from knowledge.config import MessageSettings, get_message_settings
from knowledge.errors import KOutOfRange
from knowledge.search.core.fusion import FusedHit
from knowledge.search.embedding import Embedder, get_message_embedder, name_vector_space
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import RankedPassages
from knowledge.search.message_search import rank_messages
from knowledge.search.query_embedding import embed_query
from knowledge.search.rerank import rerank_texts
from knowledge.text.queries import list_language_gaps
from memoryproject.chat_model import find_chat_model


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
    """The best `k` messages of a user as episode cards. Three queries and the query's embedding; four of a user with
    more messages than `exact_scan_rows`.

    Exact: keywords by BM25 with the user's own statistics, vectors by a scan of the user's messages. Of such a user
    common lexemes are counted in a sample, and vectors are compared where their codes are near the query's (ADR 0023).
    A message just said is found before it has a vector. `rerank` None follows `config/knowledge.yaml`. Raises
    InvalidQuery.
    """
    settings = settings or get_message_settings()
    check_query(query)
    limit = settings.retrieval.k_context if k is None else k
    if not 1 <= limit <= MAX_K:
        raise KOutOfRange(f"k must lie between 1 and {MAX_K}.")
    embedder = get_message_embedder()
    vector, degraded = _embed(embedder, query, settings)
    pool = MessagePool(tenant_id, end_user_id, name_vector_space(embedder))
    plan, counts, missing = plan_search(pool, query, settings)
    wants_rerank = settings.retrieval.rerank.enabled if rerank is None else rerank
    depth = max(limit, settings.retrieval.rerank.candidates) if wants_rerank else limit
    ranked = RankedPassages(hits=(), keyword_rounds=0)
    if plan is not None:
        ranked = rank_messages(
            build_partition(pool, filters, counts, settings),
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


def _embed(embedder: Embedder, query: str, settings: MessageSettings) -> tuple[Vectors | None, list[str]]:
    if settings.retrieval.mode == "keyword":
        return None, []
    vector, failure = embed_query(embedder, query)
    return vector, [failure] if failure else []


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
