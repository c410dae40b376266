"""Search in the store, by words and by meaning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from knowledge.canon.selectors.search import check_query
from knowledge.config import get_store_settings
from knowledge.search.core.bm25 import BM25Params, QueryPlan, plan_query
from knowledge.search.core.fusion import FusedHit
from knowledge.search.core.lexemes import build_scope_id, scoped_lexeme
from knowledge.search.embedding import Embedder, get_store_embedder, name_vector_space
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import SearchScope, search_passages
from knowledge.search.query_embedding import embed_query
from knowledge.search.sql import read_query
from knowledge.store.core.ops import Search
from knowledge.store.models import STORE_SCOPE_KIND, StoreItem, StorePassage, StoreSpace
from knowledge.store.selectors.items import SQL, build_condition
from knowledge.text.queries import count_query_lexemes

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
    return QueryVector(vector if vector is not None and vector.any() else None, (failure,) if failure else ())


def search_items(space: StoreSpace, op: Search, query: QueryVector) -> tuple[list[ItemHit], tuple[str, ...]]:
    """The items below the prefix that fit the filter, best first, and what the search had to do without. Three
    queries, four where common words must be taken in. What is not near is told as well, behind what is: its score says
    so."""
    settings, embedder = get_store_settings(), get_store_embedder()
    scope = _build_scope(space, op)
    count, foreign, plan = _read_statistics(scope, op.query, embedder)
    if not count:
        return [], ()
    vector, degraded = (None, ("embedder_changed",)) if foreign else (query.vector, query.degraded)
    ranked = search_passages(
        SearchScope(scope.table, scope.scope_id, scope.where, scope.parameters, count),
        plan=plan,
        query_vector=vector,
        settings=settings,
        semantic=embedder.is_semantic,
        limit=(op.offset + op.limit) * PASSAGES_PER_ITEM + SPARE_PASSAGES,
        keeps_far=True,
    )
    return _load(space, ranked.hits)[op.offset : op.offset + op.limit], degraded


def _build_scope(space: StoreSpace, op: Search) -> SearchScope:
    condition = build_condition(space, op.namespace, op.filter)
    where = "p.tenant_id = %(tenant_id)s AND p.space_id = %(space_id)s"
    where += f" AND p.item_id IN (SELECT i.id FROM knowledge_storeitem i WHERE {condition.text})"  # noqa: S608 - our own
    return SearchScope(
        table="knowledge_storepassage",
        scope_id=build_scope_id(STORE_SCOPE_KIND, space.pk),
        where=where,
        parameters=condition.parameters,
        passage_count=0,
    )


def _read_statistics(scope: SearchScope, query: str, embedder: Embedder) -> tuple[int, bool, QueryPlan]:
    settings = get_store_settings()
    counts = count_query_lexemes(query)
    by_hash = {scoped_lexeme(scope.scope_id, lexeme): lexeme for lexeme in counts}
    statement = read_query(SQL / "store_frequencies.sql").format(scope=scope.where)
    parameters = {**scope.parameters, "lexemes": list(by_hash), "vector_space": name_vector_space(embedder)}
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        count, foreign, frequencies = cursor.fetchone()
    found: dict[str, Any] = json.loads(frequencies) if isinstance(frequencies, str) else (frequencies or {})
    plan = plan_query(
        counts,
        {by_hash[int(lexeme)]: frequency for lexeme, frequency in found.items()},
        document_count=count,
        params=BM25Params(settings.bm25.k1, settings.bm25.b),
    )
    return count, bool(foreign), plan


def _load(space: StoreSpace, hits: Sequence[FusedHit]) -> list[ItemHit]:
    """Each item once, by the best of its parts. Two queries."""
    owners = dict(StorePassage.objects.filter(pk__in=[hit.id for hit in hits]).values_list("pk", "item_id"))
    best: dict[int, FusedHit] = {}
    for hit in hits:
        if hit.id in owners:
            best.setdefault(owners[hit.id], hit)
    items = StoreItem.objects.filter(space=space).in_bulk(list(best))
    return [ItemHit(items[item_id], hit.score, hit) for item_id, hit in best.items() if item_id in items]
