"""The scope of one domain of one world, and the vector spaces in it."""

from __future__ import annotations

from django.db import transaction

from knowledge.canon.actions.locks import lock_domain_index
from knowledge.canon.models import Alias, AliasName, DomainIndex, VectorSpace
from knowledge.config import get_domain_settings
from knowledge.errors import InvalidCanaryShare, ReleaseNotReady, UnknownWorld
from knowledge.search.embedding import Embedder
from tenancy.models import World


def ensure_domain_index(*, world_id: int, domain: str) -> DomainIndex:
    """The domain index of a world's domain, made if it is missing. Raises UnknownDomain, UnknownWorld."""
    get_domain_settings(domain)
    tenant_id = World.objects.filter(pk=world_id).values_list("tenant_id", flat=True).first()
    if tenant_id is None:
        raise UnknownWorld("There is no such world.")
    return DomainIndex.objects.get_or_create(tenant_id=tenant_id, world_id=world_id, domain=domain)[0]


def ensure_vector_space(index: DomainIndex, embedder: Embedder) -> VectorSpace:
    """The vector space of an embedder in a domain index, made if it is missing."""
    return VectorSpace.objects.get_or_create(
        domain_index=index, embedder=embedder.name, dims=embedder.dims, defaults={"tenant_id": index.tenant_id}
    )[0]


def set_canary_percent(domain_index_id: int, *, percent: int) -> DomainIndex:
    """Send a share of sessions to the stage. Raises InvalidCanaryShare; ReleaseNotReady when nothing is staged."""
    if not 0 <= percent <= 100:
        raise InvalidCanaryShare(f"The canary share is a percentage from 0 to 100, not {percent}.")
    with transaction.atomic():
        index = lock_domain_index(domain_index_id)
        if percent and not Alias.objects.filter(domain_index=index, name=AliasName.STAGE).exists():
            raise ReleaseNotReady("No release is staged, so no session can read one.")
        index.canary_percent = percent
        index.save(update_fields=["canary_percent"])
    return index
