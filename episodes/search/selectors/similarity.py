"""How near messages are to a query."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.db import connection
from pgvector import HalfVector

from knowledge.search.embedding import get_message_embedder, name_vector_space, scale_cosine
from knowledge.search.query_embedding import embed_query
from knowledge.search.sql import read_query

SIMILARITY = Path(__file__).parent.parent / "sql" / "message_similarity.sql"


def measure_similarity(*, tenant_id: int, message_ids: Sequence[int], query: str) -> dict[int, float]:
    """Message to how alike it and the query are (see `scale_cosine`); those without a vector are left out.

    One query and the query's embedding.

    Empty while the embedder does not answer.
    """
    embedder = get_message_embedder()
    vector, _ = embed_query(embedder, query)
    if vector is None or not message_ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            read_query(SIMILARITY),
            {
                "tenant_id": tenant_id,
                "message_ids": list(message_ids),
                "query_vector": HalfVector(vector).to_text(),
                "vector_space": name_vector_space(embedder),
            },
        )
        return {message_id: scale_cosine(cosine, embedder) for message_id, cosine in cursor.fetchall()}
