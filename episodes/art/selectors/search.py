"""Search in the art cards of one world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection

from episodes.art.models import ART_PARTITION_KIND
from episodes.models import ArtCard, ArtCardPassage
from knowledge.canon.selectors.search import check_query
from knowledge.config import ArtCardSettings, get_art_settings
from knowledge.errors import FilterNotAllowed, KOutOfRange
from knowledge.search.core.bm25 import BM25Params, QueryPlan, plan_query
from knowledge.search.core.lexemes import build_partition_id, hash_lexeme
from knowledge.search.embedding import get_art_embedder, name_vector_space
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import SearchPartition, search_passages
from knowledge.search.query_embedding import embed_query
from knowledge.search.sql import read_query
from knowledge.text.queries import count_query_lexemes

FREQUENCIES = Path(__file__).parent.parent / "sql" / "art_frequencies.sql"
MAX_K = 50
CONDITIONS = {
    "scene_id": "c.scene_id = %(scene_id)s",
    "campaign_id": "c.campaign_id IN ('', %(campaign_id)s)",
    "npc_id": "c.npc_ids @> ARRAY[%(npc_id)s]::varchar[]",
    "location_id": "c.location_ids @> ARRAY[%(location_id)s]::varchar[]",
}
"""What a card must be, by filter; a campaign is shown its own cards and those of none."""


@dataclass(frozen=True, slots=True)
class ArtHit:
    """A card that was found."""

    card: ArtCard
    score: float


@dataclass(frozen=True, slots=True)
class ArtSearchResult:
    """What a search found among a world's cards."""

    query: str
    hits: tuple[ArtHit, ...]
    degraded: tuple[str, ...]
    """What the search had to do without, as codes; empty when all went well."""


def search_art(
    *,
    tenant_id: int,
    world_id: int,
    query: str,
    k: int | None = None,
    filters: Mapping[str, str] | None = None,
    only_safe: bool = False,
) -> ArtSearchResult:
    """The world's cards that answer the query best. At most six queries and the query's embedding.

    Filters are `scene_id`, `campaign_id`, `npc_id`, `location_id`, as far as `config/knowledge.yaml` allows them.
    Raises InvalidQuery.
    """
    check_query(query)
    settings, filters = get_art_settings(), filters or {}
    limit = settings.retrieval.k_context if k is None else k
    if not 1 <= limit <= MAX_K:
        raise KOutOfRange(f"k must lie between 1 and {MAX_K}.")
    refused = sorted(filters.keys() - settings.filters)
    if refused:
        raise FilterNotAllowed(f"Art cards are not filtered by {', '.join(refused)} here.")
    partition = _build_partition(tenant_id, world_id, filters, only_safe=only_safe)
    embedder = get_art_embedder()
    vector, degraded = _embed(partition, query, settings)
    ranked = search_passages(
        partition,
        plan=_plan(partition, query, settings),
        query_vector=vector,
        settings=settings,
        semantic=embedder.is_semantic,
        limit=limit,
    )
    cards = {
        card.passage.pk: card
        for card in ArtCard.objects.filter(passage__in=[hit.id for hit in ranked.hits]).select_related("passage")
    }
    hits = tuple(ArtHit(cards[hit.id], hit.score) for hit in ranked.hits if hit.id in cards)
    return ArtSearchResult(query, hits, degraded)


def _build_partition(tenant_id: int, world_id: int, filters: Mapping[str, str], *, only_safe: bool) -> SearchPartition:
    wanted = [CONDITIONS[name] for name in sorted(filters)] + (["c.is_safe"] if only_safe else [])
    where = "p.tenant_id = %(tenant_id)s AND p.world_id = %(world_id)s"
    if wanted:
        joined = " AND ".join(wanted)
        where += f" AND EXISTS (SELECT 1 FROM episodes_artcard c WHERE c.id = p.card_id AND {joined})"  # noqa: S608 - our own text
    return SearchPartition(
        table="episodes_artcardpassage",
        partition_id=build_partition_id(ART_PARTITION_KIND, world_id),
        where=where,
        parameters={"tenant_id": tenant_id, "world_id": world_id, **filters},
        passage_count=ArtCardPassage.objects.filter(tenant_id=tenant_id, world_id=world_id).count(),
    )


def _embed(partition: SearchPartition, query: str, settings: ArtCardSettings) -> tuple[Vectors | None, tuple[str, ...]]:
    """The query's vector, and why there is none. Vectors of another embedder are never compared with it."""
    if settings.retrieval.mode == "keyword":
        return None, ()
    embedder = get_art_embedder()
    own = {name: partition.parameters[name] for name in ("tenant_id", "world_id")}
    if ArtCardPassage.objects.filter(**own).exclude(embedder__in=["", name_vector_space(embedder)]).exists():
        return None, ("embedder_changed",)
    vector, failure = embed_query(embedder, query)
    return vector, ((failure,) if failure else ())


def _plan(partition: SearchPartition, query: str, settings: ArtCardSettings) -> QueryPlan:
    counts = count_query_lexemes(query)
    return plan_query(
        counts,
        _count_frequencies(partition, list(counts)),
        document_count=partition.passage_count,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )


def _count_frequencies(partition: SearchPartition, lexemes: Sequence[str]) -> dict[str, int]:
    by_hash = {hash_lexeme(partition.partition_id, lexeme): lexeme for lexeme in lexemes}
    if not by_hash:
        return {}
    parameters: dict[str, Any] = {name: partition.parameters[name] for name in ("tenant_id", "world_id")}
    with connection.cursor() as cursor:
        cursor.execute(read_query(FREQUENCIES), {**parameters, "lexemes": list(by_hash)})
        return {by_hash[lexeme]: frequency for lexeme, frequency in cursor.fetchall()}
