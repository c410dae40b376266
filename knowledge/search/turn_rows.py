"""The turns of one owner that a question brings: the best by keywords, by vector and by being new, and those beside."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone
from pgvector import HalfVector

from knowledge.config import MessageSettings
from knowledge.search.core.bm25 import QueryPlan
from knowledge.search.core.lexemes import scoped_lexeme, sparse_index
from knowledge.search.embedding.base import Vectors
from knowledge.search.index_rows import to_sparse_vector
from knowledge.search.sql import read_query

STATEMENT = Path(__file__).parent / "sql" / "turns.sql"
WITH_LEXEME = "(SELECT * FROM {table} c WHERE c.lexemes && %(candidate_lexemes)s::bigint[] OFFSET 0)"
"""The fence keeps the planner from reading the scope's B-tree beside the posting lists."""
MAX_FRESH = 20
MAX_RANKED_TERMS = 16
"""Terms whose weights are read one by one, the rarest first: a pasted page as a query would cost a second."""


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
    said: str
    """A query for one row about p: said_at, speaker (`user` or any other key), speaker_name, head, ending."""
    parameters: Mapping[str, Any]
    vector_space: str
    """Vectors of other embedders are not compared."""


class TurnRow(NamedTuple):
    """A candidate or a turn beside one, as the statement reads it. Hundreds a search, hence no dataclass."""

    id: int
    conversation_id: int
    seq: int
    is_candidate: bool
    keyword_score: float
    terms: Sequence[float]
    vector_score: float | None
    is_fresh: bool
    is_wanted: bool
    length: int
    language: str
    said_on: dt.date
    speaker: str
    speaker_name: str
    head: str
    ending: str


def read_rows(
    scope: TurnScope, plan: QueryPlan, query_vector: Vectors | None, settings: MessageSettings, limit: int
) -> list[TurnRow]:
    """The candidates and up to two turns on either side of each, with true scores and what ranking reads. One query."""
    parameters = _build_parameters(scope, plan, query_vector, settings, limit)
    source = scope.table if parameters["query_vector"] is not None else WITH_LEXEME.format(table=scope.table)
    statement = read_query(STATEMENT).format(
        table=scope.table, source=source, scope=scope.where, wanted=scope.wanted, fresh=scope.fresh, said=scope.said
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [TurnRow._make(row) for row in cursor.fetchall()]


def _build_parameters(
    scope: TurnScope, plan: QueryPlan, query_vector: Vectors | None, settings: MessageSettings, limit: int
) -> dict[str, Any]:
    retrieval, terms = settings.retrieval, plan.terms
    vector = None if query_vector is None or retrieval.mode == "keyword" else HalfVector(query_vector).to_text()
    return {
        **scope.parameters,
        "time_zone": timezone.get_current_timezone_name(),
        "query_weights": to_sparse_vector((sparse_index(term.lexeme), term.weight) for term in terms).to_text(),
        "terms": [to_sparse_vector([(sparse_index(term.lexeme), 1.0)]).to_text() for term in terms[:MAX_RANKED_TERMS]],
        "candidate_lexemes": [scoped_lexeme(scope.scope_id, term.lexeme) for term in terms],
        "query_vector": vector,
        "vector_space": scope.vector_space,
        "k_keyword": max(retrieval.k_keyword, limit) if retrieval.mode != "vector" else 0,
        "k_vector": max(retrieval.k_vector, limit) if vector is not None else 0,
        "k_fresh": MAX_FRESH if retrieval.mode != "keyword" else 0,
    }
