"""Caches of this service that may hold a player's words as a query; they forget with the messages."""

from __future__ import annotations

from knowledge.canon.models import DomainIndex
from knowledge.search.query_embedding import forget_query_embeddings, hash_query
from knowledge.search.zero_hits import forget_zero_hits
from memoryproject.forgetting.registry import Forgotten


def forget_cached_queries(forgotten: Forgotten) -> int:
    """How many vectors of queries that say just what a forgotten message said were deleted."""
    return forget_query_embeddings(forgotten.text_hashes)


def forget_failed_queries(forgotten: Forgotten) -> int:
    """How many queries that found nothing in the tenant's canon were taken off the list for the same reason."""
    hashes = set(forgotten.text_hashes)
    if not hashes:
        return 0
    indexes = DomainIndex.objects.filter(tenant_id=forgotten.tenant_id).values_list("pk", flat=True)
    return sum(forget_zero_hits(index_id, lambda query: hash_query(query) in hashes) for index_id in indexes)
