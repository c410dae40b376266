"""Search in the art cards of one world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from episodes.art.models import ART_PARTITION_KIND
from episodes.models import ArtCard
from knowledge.canon.selectors.search import check_query
from knowledge.config import ArtCardSettings, get_art_settings
from knowledge.errors import FilterNotAllowed, KOutOfRange
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.embedding import get_art_embedder
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import SearchPartition, search_passages
from knowledge.search.partition_statistics import PartitionStatistics, read_statistics
from knowledge.search.query_embedding import embed_query

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
    """The world's cards that answer the query best. At most four queries and the query's embedding.

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
    embedder = get_art_embedder()
    statistics = read_statistics(_build_partition(tenant_id, world_id), query, settings=settings, embedder=embedder)
    vector, degraded = _embed(statistics, query, settings)
    ranked = search_passages(
        _narrow(statistics.partition, filters, only_safe=only_safe),
        plan=statistics.plan,
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


def _build_partition(tenant_id: int, world_id: int) -> SearchPartition:
    return SearchPartition(
        table="episodes_artcardpassage",
        partition_id=build_partition_id(ART_PARTITION_KIND, world_id),
        where="p.tenant_id = %(tenant_id)s AND p.world_id = %(world_id)s",
        parameters={"tenant_id": tenant_id, "world_id": world_id},
        passage_count=0,
    )


def _narrow(pool: SearchPartition, filters: Mapping[str, str], *, only_safe: bool) -> SearchPartition:
    """The cards of a world that fit; words are weighed by all of them."""
    wanted = [CONDITIONS[name] for name in sorted(filters)] + (["c.is_safe"] if only_safe else [])
    if not wanted:
        return pool
    joined = " AND ".join(wanted)
    where = f"{pool.where} AND EXISTS (SELECT 1 FROM episodes_artcard c WHERE c.id = p.card_id AND {joined})"  # noqa: S608 - our own text
    return replace(pool, where=where, parameters={**pool.parameters, **filters})


def _embed(
    statistics: PartitionStatistics, query: str, settings: ArtCardSettings
) -> tuple[Vectors | None, tuple[str, ...]]:
    """The query's vector, and why there is none. Vectors of another embedder are never compared with it."""
    if settings.retrieval.mode == "keyword":
        return None, ()
    if statistics.has_foreign_vectors:
        return None, ("embedder_changed",)
    vector, failure = embed_query(get_art_embedder(), query)
    return vector, ((failure,) if failure else ())
