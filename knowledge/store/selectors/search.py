"""Search in the store, by words and by meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.canon.selectors.search import check_query
from knowledge.config import get_store_settings
from knowledge.search.core.fusion import FusedHit
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.embedding import get_store_embedder
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import SearchPartition, search_passages
from knowledge.search.partition_statistics import read_statistics
from knowledge.search.query_embedding import embed_query
from knowledge.store.core.ops import Search
from knowledge.store.models import STORE_PARTITION_KIND, StoreItem, StorePassage, StoreSpace
from knowledge.store.selectors.items import build_condition

PASSAGES_PER_ITEM = 3
"""So many hits are looked at for each item that is asked for: several parts of one item are one result."""
SPARE_PASSAGES = 20


@dataclass(frozen=True, slots=True)
class ItemHit:
    """An item and how well its best part answers the query, from 0 to 1."""

    item: StoreItem
    score: float
    hit: FusedHit


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A query's vector, or why there is none."""

    vector: Vectors | None
    degraded: tuple[str, ...] = ()


def embed_search(op: Search) -> QueryVector:
    """The vector of a search's query: asked for before any transaction. Raises InvalidQuery."""
    check_query(op.query)
    if get_store_settings().retrieval.mode == "keyword":
        return QueryVector(None)
    vector, failure = embed_query(get_store_embedder(), op.query)
    return QueryVector(vector, (failure,) if failure else ())


def search_items(space: StoreSpace, op: Search, query: QueryVector) -> tuple[list[ItemHit], tuple[str, ...]]:
    """The items below the prefix that fit the filter, best first, and what the search had to do without. Three
    queries, four where common words must be taken in. What is not near is told as well, behind what is: its score says
    so."""
    settings, embedder = get_store_settings(), get_store_embedder()
    found = read_statistics(_build_partition(space, op), op.query, settings=settings, embedder=embedder)
    if not found.partition.passage_count:
        return [], ()
    vector, degraded = (None, ("embedder_changed",)) if found.has_foreign_vectors else (query.vector, query.degraded)
    ranked = search_passages(
        found.partition,
        plan=found.plan,
        query_vector=vector,
        settings=settings,
        semantic=embedder.is_semantic,
        limit=(op.offset + op.limit) * PASSAGES_PER_ITEM + SPARE_PASSAGES,
        keeps_far=True,
    )
    return _load(space, ranked.hits)[op.offset : op.offset + op.limit], degraded


def _build_partition(space: StoreSpace, op: Search) -> SearchPartition:
    condition = build_condition(space, op.namespace, op.filter)
    where = "p.tenant_id = %(tenant_id)s AND p.space_id = %(space_id)s"
    where += f" AND p.item_id IN (SELECT i.id FROM knowledge_storeitem i WHERE {condition.text})"  # noqa: S608 - our own
    return SearchPartition(
        table="knowledge_storepassage",
        partition_id=build_partition_id(STORE_PARTITION_KIND, space.pk),
        where=where,
        parameters=condition.parameters,
        passage_count=0,
    )


def _load(space: StoreSpace, hits: Sequence[FusedHit]) -> list[ItemHit]:
    """Each item once, by the best of its parts. Two queries."""
    owners = dict(StorePassage.objects.filter(pk__in=[hit.id for hit in hits]).values_list("pk", "item_id"))
    best: dict[int, FusedHit] = {}
    for hit in hits:
        if hit.id in owners:
            best.setdefault(owners[hit.id], hit)
    items = StoreItem.objects.filter(space=space).in_bulk(list(best))
    return [ItemHit(items[item_id], hit.score, hit) for item_id, hit in best.items() if item_id in items]
