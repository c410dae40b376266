"""What still lacks a vector or a vector index."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from knowledge.canon.models import Alias, AliasName, DomainIndex, LorePassage, Release
from knowledge.config import load_knowledge_settings
from knowledge.search.embedding import get_embedder
from knowledge.search.models import EmbeddingState

_WAITS = Exists(LorePassage.objects.filter(domain_index_id=OuterRef("pk"), embedding_state=EmbeddingState.PENDING))
"""Of a domain index. By passage_embedding_pending, which the domain index leads."""


@dataclass(frozen=True, slots=True)
class OutdatedDomain:
    """A domain whose live release another embedder made than the configured one."""

    index: DomainIndex
    live: Release
    embedder: str
    """The configured one."""
    dims: int


def list_outdated_domains() -> list[OutdatedDomain]:
    """The domains of all tenants whose live vectors can't be compared with those of today's queries, oldest first.

    A domain whose configured embedder knows no meaning is none of them. One query a configured domain.
    """
    found = []
    for domain in load_knowledge_settings():
        embedder = get_embedder(domain)
        if not embedder.is_semantic:
            continue
        rows = Alias.objects.filter(name=AliasName.LATEST, domain_index__domain=domain).exclude(
            release__vector_space__embedder=embedder.name, release__vector_space__dims=embedder.dims
        )
        found += [
            OutdatedDomain(alias.domain_index, alias.release, embedder.name, embedder.dims)
            for alias in rows.select_related("domain_index__tenant", "domain_index__world", "release")
        ]
    return sorted(found, key=lambda each: each.index.pk)


def has_backlog(tenant_id: int) -> bool:
    """Whether a passage of the tenant's canon waits for a vector."""
    return DomainIndex.objects.filter(_WAITS, tenant_id=tenant_id).exists()


def list_tenants_with_backlog() -> list[int]:
    """Ids of the tenants with passages of canon that wait for a vector."""
    rows = DomainIndex.objects.filter(_WAITS).order_by("tenant_id")
    return list(rows.values_list("tenant_id", flat=True).distinct())


def list_spaces_without_index() -> list[int]:
    """Ids of the vector spaces that a read release has outgrown the exact scan in, without an HNSW index yet."""
    too_large = Q(pk__in=[])
    for domain, settings in load_knowledge_settings().items():
        too_large |= Q(domain_index__domain=domain, release__passage_count__gt=settings.retrieval.exact_scan_rows)
    rows = Alias.objects.filter(too_large, release__vector_space__hnsw_ready=False)
    return list(rows.order_by("release__vector_space_id").values_list("release__vector_space_id", flat=True).distinct())
