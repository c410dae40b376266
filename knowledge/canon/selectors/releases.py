"""Which release a read goes to: an alias, a number, or the canary's share of sessions."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge.canon.models import Alias, AliasName, DomainIndex, Release, ReleaseState
from knowledge.config import get_domain_settings
from knowledge.errors import UnknownAlias, UnknownDomain, UnknownRelease

READABLE_STATES = (ReleaseState.STAGED, ReleaseState.PUBLISHED)


@dataclass(frozen=True, slots=True)
class ResolvedRelease:
    """A release that can be searched, with all that a search needs to know of it."""

    tenant_id: int
    world_id: int
    domain: str
    domain_index_id: int
    release_id: int
    number: int
    state: str
    passage_count: int
    document_count: int
    analysis_version: int
    length_pivot: float
    vector_space_id: int
    embedder: str
    dims: int
    hnsw_ready: bool
    alias: str | None
    """The alias that led here; None when asked for by number."""
    canary: bool
    """Whether the session was sent to the stage by the canary share."""


def resolve_release(
    *,
    world_id: int,
    domain: str,
    alias: str = AliasName.LATEST,
    release: int | None = None,
    session_id: str | None = None,
) -> ResolvedRelease:
    """The release to read, by number, else by alias; sessions of the canary share read `stage` for `latest`.

    One query. Raises UnknownDomain, UnknownAlias, UnknownRelease.
    """
    get_domain_settings(domain)
    if release is not None:
        return _resolve_number(world_id, domain, release)
    found = find_releases(world_id=world_id, domains=[domain], alias=alias, session_id=session_id).get(domain)
    if found is None:
        _check_domain_index(world_id, domain)
        raise UnknownAlias(f"The alias {str(alias)!r} of domain {domain!r} points at no release.")
    return found


def find_releases(
    *, world_id: int, domains: Sequence[str], alias: str = AliasName.LATEST, session_id: str | None = None
) -> dict[str, ResolvedRelease]:
    """Domain to the release to read, for those domains whose alias points at one. One query. Raises UnknownAlias."""
    if alias not in AliasName.values:
        raise UnknownAlias(f"There is no alias {alias!r}. Known: {', '.join(AliasName.values)}.")
    rows: dict[str, dict[str, Alias]] = {domain: {} for domain in domains}
    for row in Alias.objects.filter(
        domain_index__world_id=world_id, domain_index__domain__in=list(domains)
    ).select_related("release__vector_space", "domain_index"):
        rows[row.domain_index.domain][row.name] = row
    chosen = {domain: _choose(aliases, alias, session_id) for domain, aliases in rows.items()}
    return {domain: release for domain, release in chosen.items() if release is not None}


def _choose(aliases: Mapping[str, Alias], alias: str, session_id: str | None) -> ResolvedRelease | None:
    canary = False
    if alias == AliasName.LATEST and session_id and AliasName.STAGE in aliases:
        stage = aliases[AliasName.STAGE]
        canary = is_in_canary(session_id, release_id=stage.release_id, percent=stage.domain_index.canary_percent)
    row = aliases.get(AliasName.STAGE if canary else alias)
    if row is None:
        return None
    return _describe(row.release, row.domain_index, alias=alias, canary=canary)


def is_in_canary(session_id: str, *, release_id: int, percent: int) -> bool:
    """Whether a session belongs to the share that reads the stage: the same answer for as long as it stands."""
    if percent <= 0:
        return False
    digest = hashlib.sha256(f"{release_id}:{session_id}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % 100 < percent


def _resolve_number(world_id: int, domain: str, number: int) -> ResolvedRelease:
    row = (
        Release.objects.filter(
            domain_index__world_id=world_id, domain_index__domain=domain, number=number, state__in=READABLE_STATES
        )
        .select_related("vector_space", "domain_index")
        .first()
    )
    if row is None:
        _check_domain_index(world_id, domain)
        raise UnknownRelease(f"There is no release {number} in domain {domain!r}.")
    return _describe(row, row.domain_index, alias=None, canary=False)


def _check_domain_index(world_id: int, domain: str) -> None:
    if not DomainIndex.objects.filter(world_id=world_id, domain=domain).exists():
        raise UnknownDomain(f"This world has nothing in domain {domain!r} yet.")


def _describe(release: Release, index: DomainIndex, *, alias: str | None, canary: bool) -> ResolvedRelease:
    space = release.vector_space
    return ResolvedRelease(
        tenant_id=index.tenant_id,
        world_id=index.world_id,
        domain=index.domain,
        domain_index_id=index.pk,
        release_id=release.pk,
        number=release.number,
        state=release.state,
        passage_count=release.passage_count,
        document_count=release.document_count,
        analysis_version=release.analysis_version,
        length_pivot=release.length_pivot,
        vector_space_id=space.pk,
        embedder=space.embedder,
        dims=space.dims,
        hnsw_ready=space.hnsw_ready,
        alias=alias,
        canary=canary,
    )
