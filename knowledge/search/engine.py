"""The one search engine: passages of a scope by keywords and vectors, fused, with every score kept.

A scope is any set of passages that share a statistics pool: a release of a canon domain, a user, a campaign.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import connection
from pgvector import HalfVector

from knowledge.config import DomainSettings, RetrievalSettings
from knowledge.search.core.bm25 import QueryPlan
from knowledge.search.core.fusion import Candidate, FusedHit, FusionWeights, fuse_convex, fuse_rrf
from knowledge.search.core.lexemes import scoped_lexeme, sparse_index
from knowledge.search.embedding.base import Vectors
from knowledge.search.indexing import to_sparse_vector
from knowledge.search.sql import read_query

SQL = Path(__file__).parent / "sql"
CANDIDATE_SHARE = 0.05
"""Keyword candidates are first taken from terms that together occur in at most this share of the passages."""
FRESH = dt.timedelta(minutes=5)
"""For so long a passage without an embedding is placed by a constant vector score. Source: seed 002, fix 9."""


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Which rows of which passage table are searched. `table` and `where` are code's own text, never a caller's."""

    table: str
    scope_id: int
    where: str
    parameters: Mapping[str, Any]
    passage_count: int
    hnsw_dims: int | None = None
    """The dimensions of the scope's HNSW index, or None for an exact scan."""


@dataclass(frozen=True, slots=True)
class RankedPassages:
    """Passages in fused order, and how the search went."""

    hits: tuple[FusedHit, ...]
    keyword_rounds: int
    """Queries that it took until the keyword candidates were provably complete."""
    candidates: int = 0
    terms: tuple[str, ...] = field(default=())
    """Query lexemes that occur in the scope, rarest first."""


def search_passages(
    scope: SearchScope,
    *,
    plan: QueryPlan,
    query_vector: Vectors | None,
    settings: DomainSettings,
    semantic: bool,
    limit: int,
) -> RankedPassages:
    """The best `limit` passages of a scope. One query, or a few where common terms must be taken in to be exact.

    `query_vector` None searches by keywords alone. The first `limit` places by keywords are exact BM25 (MaxScore).
    """
    retrieval = settings.retrieval
    if query_vector is None and not plan.terms:
        return RankedPassages(hits=(), keyword_rounds=0)
    taken = plan.taken_for_frequency(max(int(scope.passage_count * CANDIDATE_SHARE), limit))
    if retrieval.mode == "vector" or not plan.terms:
        taken = len(plan.terms)
    rounds = 0
    while True:
        rounds += 1
        rows = _run(scope, plan=plan, taken=taken, query_vector=query_vector, retrieval=retrieval, limit=limit)
        scores = sorted((row.keyword_score for row in rows if row.is_keyword), reverse=True)
        kth_score = scores[limit - 1] if len(scores) >= limit else None
        if plan.is_exact(kth_score, len(plan.terms) - taken):
            break
        taken = _widen(plan, taken, kth_score)
    hits = _fuse(rows, retrieval, semantic=semantic)
    kept = [
        hit for hit in hits if hit.bm25 > 0 or hit.is_placed_as_fresh or (hit.vector or 0) >= retrieval.vector_floor
    ]
    return RankedPassages(
        hits=tuple(kept[:limit]),
        keyword_rounds=rounds,
        candidates=len(rows),
        terms=tuple(term.lexeme for term in plan.terms),
    )


@dataclass(frozen=True, slots=True)
class _Row:
    id: int
    keyword_score: float
    vector_score: float | None
    is_keyword: bool
    created_at: dt.datetime


def _widen(plan: QueryPlan, taken: int, kth_score: float | None) -> int:
    """How many terms to take next: one more, or as many as bring what is left out below the k-th score."""
    taken += 1
    while kth_score is not None and taken < len(plan.terms) and plan.highest_score_after(taken) > kth_score:
        taken += 1
    return taken


def _run(
    scope: SearchScope,
    *,
    plan: QueryPlan,
    taken: int,
    query_vector: Vectors | None,
    retrieval: RetrievalSettings,
    limit: int,
) -> list[_Row]:
    parameters: dict[str, Any] = {
        **scope.parameters,
        "query_weights": to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in plan.terms).to_text(),
        "candidate_lexemes": [scoped_lexeme(scope.scope_id, term.lexeme) for term in plan.terms[:taken]],
        "k_keyword": max(retrieval.k_keyword, limit) if retrieval.mode != "vector" else 0,
    }
    if query_vector is None:
        statement = read_query(SQL / "keyword.sql").format(table=scope.table, scope=scope.where)
    else:
        parameters["query_vector"] = HalfVector(query_vector).to_text()
        parameters["k_vector"] = max(retrieval.k_vector, limit) if retrieval.mode != "keyword" else 0
        cast = f"::halfvec({scope.hnsw_dims:d})" if scope.hnsw_dims else ""
        distance = f"p.embedding{cast} <#> %(query_vector)s::halfvec{cast.removeprefix('::halfvec')}"
        statement = read_query(SQL / "hybrid.sql").format(table=scope.table, scope=scope.where, distance=distance)
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [_Row(*row) for row in cursor.fetchall()]


def _fuse(rows: Sequence[_Row], retrieval: RetrievalSettings, *, semantic: bool) -> list[FusedHit]:
    now = dt.datetime.now(dt.UTC)
    candidates = [
        Candidate(
            id=row.id,
            bm25=row.keyword_score,
            vector=row.vector_score,
            is_fresh=row.vector_score is None and now - row.created_at < FRESH,
        )
        for row in rows
    ]
    if retrieval.fuse == "rrf":
        return fuse_rrf(candidates, k=retrieval.rrf_k)
    weights = retrieval.weights if semantic else retrieval.offline_weights
    if retrieval.mode != "hybrid":
        weights = weights.model_copy(
            update={"keyword": 1.0, "vector": 0.0} if retrieval.mode == "keyword" else {"keyword": 0.0, "vector": 1.0}
        )
    return fuse_convex(candidates, weights=FusionWeights(bm25=weights.keyword, vector=weights.vector))
