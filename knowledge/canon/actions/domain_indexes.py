"""The partition of one domain of one world, and the vector spaces in it."""

from __future__ import annotations

from django.db import transaction

from knowledge.canon.actions.locks import lock_domain_index
from knowledge.canon.models import Alias, AliasName, CanaryOverride, DomainIndex, Release, VectorSpace
from knowledge.canon.models.releases import GATE_OPEN, MAX_CANARY_PERCENT
from knowledge.config import get_domain_settings
from knowledge.errors import GateClosed, InvalidCanaryShare, ReleaseNotReady, UnknownWorld
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
    """Send a share of sessions to the stage, whose gate must be open or overridden for the canary.

    Locks the domain index. Raises InvalidCanaryShare; ReleaseNotReady when nothing is staged; GateClosed.
    """
    if not 0 <= percent <= MAX_CANARY_PERCENT:
        raise InvalidCanaryShare(
            f"The canary share is a percentage from 0 to {MAX_CANARY_PERCENT}, not {percent}: a swap is what reaches "
            "everyone."
        )
    with transaction.atomic():
        index = lock_domain_index(domain_index_id)
        if percent:
            stage = find_stage_release(index.pk)
            if stage is None:
                raise ReleaseNotReady("No release is staged, so no session can read one.")
            if needs_canary_override(stage) and not stage.canary_overrides.exists():
                raise GateClosed(
                    f"The golden gate of release {stage.number} is {stage.gate_state}: no session may read it.",
                    release=stage.number,
                    gate=str(stage.gate_state),
                )
        index.canary_percent = percent
        index.save(update_fields=["canary_percent"])
    return index


def allow_canary(release: Release, *, reason: str, author: str) -> CanaryOverride:
    """An owner's word, kept for good, that sessions may read the release although its gate is not open."""
    return CanaryOverride.objects.create(
        tenant_id=release.tenant_id, release=release, gate_state=release.gate_state, reason=reason, author=author[:200]
    )


def find_stage_release(domain_index_id: int) -> Release | None:
    """The release that the alias `stage` points at."""
    alias = (
        Alias.objects.filter(domain_index_id=domain_index_id, name=AliasName.STAGE).select_related("release").first()
    )
    return alias.release if alias else None


def needs_canary_override(release: Release) -> bool:
    """Whether the gate of the release lets no session through by itself."""
    return release.gate_state not in GATE_OPEN
