"""What still lacks a vector or a vector index."""

from __future__ import annotations

from django.db.models import Q

from knowledge.canon.models import Alias, LorePassage
from knowledge.config import load_knowledge_settings
from knowledge.search.models import EmbeddingState


def list_indexes_with_pending_embeddings() -> list[int]:
    """Ids of the domain indexes with passages that wait for a vector."""
    rows = LorePassage.objects.filter(embedding_state=EmbeddingState.PENDING)
    return list(rows.order_by("domain_index_id").values_list("domain_index_id", flat=True).distinct())


def list_spaces_without_index() -> list[int]:
    """Ids of the vector spaces that a read release has outgrown the exact scan in, without an HNSW index yet."""
    too_large = Q(pk__in=[])
    for domain, settings in load_knowledge_settings().items():
        too_large |= Q(domain_index__domain=domain, release__passage_count__gt=settings.retrieval.exact_scan_rows)
    rows = Alias.objects.filter(too_large, release__vector_space__hnsw_ready=False)
    return list(rows.order_by("release__vector_space_id").values_list("release__vector_space_id", flat=True).distinct())
