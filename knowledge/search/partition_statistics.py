"""What a partition without counters of its own holds of a query: counted for each search."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db import connection

from knowledge.config import DomainSettings
from knowledge.search.core.bm25 import BM25Params, QueryPlan, plan_query
from knowledge.search.core.lexemes import hash_lexeme
from knowledge.search.embedding import Embedder, name_vector_space
from knowledge.search.engine import SearchPartition
from knowledge.search.sql import read_query
from knowledge.text.queries import count_query_lexemes

FREQUENCIES = Path(__file__).resolve().parent / "sql" / "partition_frequencies.sql"


@dataclass(frozen=True, slots=True)
class PartitionStatistics:
    """A partition with the number of its passages, and how a query is weighed among them."""

    partition: SearchPartition
    plan: QueryPlan
    has_foreign_vectors: bool
    """Whether another embedder made some of its vectors: they are never compared with this one's."""


def read_statistics(
    partition: SearchPartition, query: str, *, settings: DomainSettings, embedder: Embedder
) -> PartitionStatistics:
    """What the passages of `partition.table` that fit the partition's condition hold of a query. One query.

    The table has `lexemes`, hashed in the partition, and `embedder`.
    """
    counts = count_query_lexemes(query)
    by_hash = {hash_lexeme(partition.partition_id, lexeme): lexeme for lexeme in counts}
    statement = read_query(FREQUENCIES).format(table=partition.table, partition=partition.where)
    parameters = {**partition.parameters, "lexemes": list(by_hash), "vector_space": name_vector_space(embedder)}
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
    return PartitionStatistics(replace(partition, passage_count=count), plan, bool(foreign))
