"""What a scope without counters of its own holds of a query: counted for each search."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db import connection

from knowledge.config import DomainSettings
from knowledge.search.core.bm25 import BM25Params, QueryPlan, plan_query
from knowledge.search.core.lexemes import scoped_lexeme
from knowledge.search.embedding import Embedder, name_vector_space
from knowledge.search.engine import SearchScope
from knowledge.search.sql import read_query
from knowledge.text.queries import count_query_lexemes

FREQUENCIES = Path(__file__).resolve().parent / "sql" / "scope_frequencies.sql"


@dataclass(frozen=True, slots=True)
class ScopeStatistics:
    """A scope with the number of its passages, and how a query is weighed among them."""

    scope: SearchScope
    plan: QueryPlan
    has_foreign_vectors: bool
    """Whether another embedder made some of its vectors: they are never compared with this one's."""


def read_statistics(scope: SearchScope, query: str, *, settings: DomainSettings, embedder: Embedder) -> ScopeStatistics:
    """What the passages of `scope.table` that fit the scope's condition hold of a query. One query.

    The table has `lexemes`, hashed in the scope, and `embedder`.
    """
    counts = count_query_lexemes(query)
    by_hash = {scoped_lexeme(scope.scope_id, lexeme): lexeme for lexeme in counts}
    statement = read_query(FREQUENCIES).format(table=scope.table, scope=scope.where)
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
    return ScopeStatistics(replace(scope, passage_count=count), plan, bool(foreign))
