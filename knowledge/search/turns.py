"""Search among the turns of conversations: exact within one owner's scope, each turn helped by those beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection
from pgvector import HalfVector

from knowledge.config import MessageSettings
from knowledge.search.core.bm25 import QueryPlan
from knowledge.search.core.fusion import Candidate, add_neighbour_scores
from knowledge.search.core.lexemes import scoped_lexeme, sparse_index
from knowledge.search.embedding.base import Vectors
from knowledge.search.engine import RankedPassages, fuse_candidates, is_match
from knowledge.search.indexing import to_sparse_vector
from knowledge.search.sql import read_query

STATEMENT = Path(__file__).parent / "sql" / "turns.sql"
WITH_LEXEME = "(SELECT * FROM {table} c WHERE c.lexemes && %(candidate_lexemes)s::bigint[] OFFSET 0)"
"""The fence keeps the planner from reading the scope's B-tree beside the posting lists."""
FRESH_MOST = 20


@dataclass(frozen=True, slots=True)
class TurnScope:
    """Whose turns are searched, and which of them may be answered. All texts are code's own, never a caller's.

    The table has `conversation_id`, `seq` and `embedder` beside a passage's columns.
    """

    table: str
    scope_id: int
    where: str
    wanted: str
    """The filters: turns beside a candidate lend it their scores, but are found themselves only if they pass."""
    fresh: str
    """Too new for a vector: such a turn is placed by a constant vector score. Source: seed 002, fix 9."""
    parameters: Mapping[str, Any]
    vector_space: str
    """Vectors of other embedders are not compared."""


@dataclass(frozen=True, slots=True)
class _Row:
    id: int
    keyword_score: float
    vector_score: float | None
    is_fresh: bool
    is_wanted: bool
    before_id: int | None
    after_id: int | None


def search_turns(
    scope: TurnScope,
    *,
    plan: QueryPlan,
    query_vector: Vectors | None,
    settings: MessageSettings,
    semantic: bool,
    limit: int,
) -> RankedPassages:
    """All turns that were looked at, best first; the first `limit` by keywords and by vector are exact. One query.

    All of the plan's terms bring candidates: a scope is small. Without a query vector, keywords and newness decide.
    A turn that only stands beside a match comes too, by its share.
    """
    retrieval = settings.retrieval
    parameters = _build_parameters(scope, plan, query_vector, settings, limit)
    source = scope.table if parameters["query_vector"] is not None else WITH_LEXEME.format(table=scope.table)
    statement = read_query(STATEMENT).format(
        table=scope.table, source=source, scope=scope.where, wanted=scope.wanted, fresh=scope.fresh
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows = [_Row(*row) for row in cursor.fetchall()]
    candidates = [
        Candidate(id=row.id, bm25=row.keyword_score, vector=row.vector_score, is_fresh=row.is_fresh) for row in rows
    ]
    fused = fuse_candidates(candidates, retrieval, semantic=semantic)
    matching = {hit.id for hit in fused if is_match(hit)}
    raised = add_neighbour_scores(fused, _list_matching_neighbours(rows, matching), share=settings.neighbour_share)
    wanted = {row.id for row in rows if row.is_wanted}
    hits = [hit for hit in raised if hit.id in wanted and (hit.id in matching or hit.neighbour_part > 0)]
    return RankedPassages(
        hits=tuple(hits),
        keyword_rounds=1,
        candidates=len(rows),
        terms=tuple(term.lexeme for term in plan.terms),
    )


def _list_matching_neighbours(rows: Sequence[_Row], matching: set[int]) -> Mapping[int, Sequence[int]]:
    """The turns just before and after each that match the query themselves: the others have nothing to lend."""
    beside: dict[int, set[int]] = defaultdict(set)
    for row in rows:
        for other in (row.before_id, row.after_id):
            if other is not None:
                beside[row.id].add(other)
                beside[other].add(row.id)
    return {id_: sorted(others & matching) for id_, others in beside.items()}


def _build_parameters(
    scope: TurnScope, plan: QueryPlan, query_vector: Vectors | None, settings: MessageSettings, limit: int
) -> dict[str, Any]:
    retrieval, terms = settings.retrieval, plan.terms
    vector = None if query_vector is None or retrieval.mode == "keyword" else HalfVector(query_vector).to_text()
    return {
        **scope.parameters,
        "query_weights": to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in terms).to_text(),
        "candidate_lexemes": [scoped_lexeme(scope.scope_id, term.lexeme) for term in terms],
        "query_vector": vector,
        "vector_space": scope.vector_space,
        "k_keyword": max(retrieval.k_keyword, limit) if retrieval.mode != "vector" else 0,
        "k_vector": max(retrieval.k_vector, limit) if vector is not None else 0,
        "k_fresh": FRESH_MOST if retrieval.mode != "keyword" else 0,
    }
