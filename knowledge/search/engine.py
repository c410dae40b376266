"""The one search engine: passages of a partition by keywords and vectors, fused, with every score kept.

A partition is any set of passages that share a statistics pool: a release of a canon domain, a user, a campaign.
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
from knowledge.search.core.background import Background, find_vector_floor
from knowledge.search.core.bm25 import QueryPlan
from knowledge.search.core.fusion import Candidate, FusedHit, FusionWeights, fuse_convex, fuse_rrf
from knowledge.search.core.lexemes import sparse_index
from knowledge.search.embedding.base import Vectors
from knowledge.search.index_rows import to_sparse_vector
from knowledge.search.lexeme_sets import LexemeSets, build_parameters, render_condition
from knowledge.search.sql import read_query

SQL = Path(__file__).parent / "sql"
CANDIDATE_SHARE = 0.02
"""Keyword candidates are first taken from terms that together occur in at most this share of the passages."""
SAMPLE_SIZE = 400
"""So many passages of a partition tell how near those are that have nothing to do with the query."""
FRESH = dt.timedelta(minutes=5)
"""For so long a passage without an embedding is placed by a constant vector score. Source: seed 002, fix 9."""


@dataclass(frozen=True, slots=True)
class SearchPartition:
    """Which rows of which passage table are searched. `table` and `where` are code's own text, never a caller's."""

    table: str
    partition_id: int
    where: str
    parameters: Mapping[str, Any]
    passage_count: int
    hnsw_dims: int | None = None
    """The dimensions of the partition's HNSW index, or None for an exact scan."""


@dataclass(frozen=True, slots=True)
class RankedPassages:
    """Passages in fused order, and how the search went."""

    hits: tuple[FusedHit, ...]
    keyword_rounds: int
    """Queries that it took until the keyword candidates were provably complete."""
    candidates: int = 0
    terms: tuple[str, ...] = field(default=())
    """Query lexemes that occur in the partition, rarest first."""


def search_passages(
    partition: SearchPartition,
    *,
    plan: QueryPlan,
    query_vector: Vectors | None,
    settings: DomainSettings,
    semantic: bool,
    limit: int,
    is_exact: bool = True,
    keeps_far: bool = False,
) -> RankedPassages:
    """The best `limit` passages of a partition. One query, or two where common terms must be taken in to be exact.

    `query_vector` None searches by keywords alone. The first `limit` places by keywords are exact BM25 (MaxScore).
    What has nothing to do with the query is left out, unless the caller `keeps_far`.
    """
    retrieval = settings.retrieval
    if query_vector is None and not plan.terms:
        return RankedPassages(hits=(), keyword_rounds=0)
    taken = plan.taken_for_frequency(max(int(partition.passage_count * CANDIDATE_SHARE), limit))
    if retrieval.mode == "vector" or not plan.terms:
        taken = len(plan.terms)
    question = _Question(partition, plan, query_vector, retrieval, limit)
    first = [(term.lexeme,) for term in plan.terms[:taken]]
    rows = _run_hybrid(question, first) if query_vector is not None else _run_keyword(question, first)
    background = _find_background(rows)
    missing = plan.list_missing(taken, _kth_score(rows, limit)) if is_exact else []
    if missing:
        rows = _merge(rows, _run_keyword(question, missing))
    hits = fuse_candidates(_list_candidates(rows), retrieval, semantic=semantic, background=background)
    kept = hits if keeps_far else [hit for hit in hits if is_match(hit)]
    return RankedPassages(
        hits=tuple(kept[:limit]),
        keyword_rounds=2 if missing else 1,
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
    sampled: int = 0
    median: float | None = None
    mad: float | None = None


def _find_background(rows: Sequence[_Row]) -> Background | None:
    """What the partition's passages score with the query: the same in every row of a hybrid round."""
    for row in rows:
        if row.median is not None and row.mad is not None:
            return Background(row.sampled, row.median, row.mad)
    return None


def _kth_score(rows: Sequence[_Row], limit: int) -> float | None:
    """The score of the last keyword place that must be exact; None while there are fewer."""
    scores = sorted((row.keyword_score for row in rows if row.is_keyword), reverse=True)
    return scores[limit - 1] if len(scores) >= limit else None


def _merge(rows: Sequence[_Row], more: Sequence[_Row]) -> list[_Row]:
    """Both lists, each passage once; what one list found by keywords counts as found by keywords."""
    merged = {row.id: row for row in rows}
    for row in more:
        merged[row.id] = row
    return list(merged.values())


@dataclass(frozen=True, slots=True)
class _Question:
    """What stays the same from round to round."""

    partition: SearchPartition
    plan: QueryPlan
    query_vector: Vectors | None
    retrieval: RetrievalSettings
    limit: int

    def parameters(self, sets: LexemeSets) -> dict[str, Any]:
        """The parameters of both statements; candidates hold one of the sets of lexemes whole."""
        terms = self.plan.terms
        parameters: dict[str, Any] = {
            **self.partition.parameters,
            "query_weights": to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in terms).to_text(),
            **build_parameters(self.partition.partition_id, sets),
            "k_sample": SAMPLE_SIZE,
            "k_keyword": max(self.retrieval.k_keyword, self.limit) if self.retrieval.mode != "vector" else 0,
            "k_vector": max(self.retrieval.k_vector, self.limit) if self.retrieval.mode != "keyword" else 0,
        }
        if self.query_vector is not None:
            parameters["query_vector"] = HalfVector(self.query_vector).to_text()
        return parameters


def _run_hybrid(question: _Question, sets: LexemeSets) -> list[_Row]:
    partition = question.partition
    cast = f"({partition.hnsw_dims:d})" if partition.hnsw_dims else ""
    column = f"p.embedding::halfvec{cast}" if cast else "p.embedding"
    distance = f"{column} <#> %(query_vector)s::halfvec{cast}"
    statement = read_query(SQL / "hybrid.sql").format(
        table=partition.table, partition=partition.where, candidates=render_condition(sets), distance=distance
    )
    return _fetch(statement, question.parameters(sets))


def _run_keyword(question: _Question, sets: LexemeSets) -> list[_Row]:
    vector_score = "NULL::float8" if question.query_vector is None else "-(p.embedding <#> %(query_vector)s::halfvec)"
    partition = question.partition
    statement = read_query(SQL / "keyword.sql").format(
        table=partition.table, partition=partition.where, candidates=render_condition(sets), vector_score=vector_score
    )
    return _fetch(statement, question.parameters(sets))


def _fetch(statement: str, parameters: Mapping[str, Any]) -> list[_Row]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [_Row(*row) for row in cursor.fetchall()]


def _list_candidates(rows: Sequence[_Row]) -> list[Candidate]:
    now = dt.datetime.now(dt.UTC)
    return [
        Candidate(
            id=row.id,
            bm25=row.keyword_score,
            vector=row.vector_score,
            is_fresh=row.vector_score is None and now - row.created_at < FRESH,
        )
        for row in rows
    ]


def fuse_candidates(
    candidates: Sequence[Candidate],
    retrieval: RetrievalSettings,
    *,
    semantic: bool,
    background: Background | None = None,
) -> list[FusedHit]:
    """The candidates in one order, by the domain's settings for the kind of embedder, and which of them are near.

    Without a background (a partition whose own spread is not known) every vector of an embedder that knows meaning is.
    """
    cosines = [each.vector for each in candidates if each.vector is not None]
    floor = find_vector_floor(
        cosines, background, floor=retrieval.vector_floor, peak=retrieval.vector_peak, is_semantic=semantic
    )
    if retrieval.fuse == "rrf":
        return fuse_rrf(candidates, k=retrieval.rrf_k, near_from=floor)
    weights = retrieval.weights if semantic else retrieval.offline_weights
    if retrieval.mode != "hybrid":
        weights = weights.model_copy(
            update={"keyword": 1.0, "vector": 0.0} if retrieval.mode == "keyword" else {"keyword": 0.0, "vector": 1.0}
        )
    return fuse_convex(candidates, weights=FusionWeights(bm25=weights.keyword, vector=weights.vector), near_from=floor)


def is_match(hit: FusedHit) -> bool:
    """Whether a hit has anything to do with the query: a lexeme, a vector near enough, or being fresh."""
    return hit.bm25 > 0 or hit.is_placed_as_fresh or hit.is_near
