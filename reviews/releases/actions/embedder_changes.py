"""Canon that another embedder made than the configured one: embedded anew beside the old vectors, and swapped in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

import structlog
from django.conf import settings
from django.utils import timezone

from knowledge.canon.actions import discard_release
from knowledge.canon.models import LorePassage, Release, ReleaseState
from knowledge.canon.models.releases import GATE_OPEN
from knowledge.canon.selectors.embeddings import OutdatedDomain, list_outdated_domains
from knowledge.search.embedding import get_embedder
from knowledge.search.models import EmbeddingState
from memoryproject.errors import DomainError
from reviews.actions.constraints import atomic_action
from reviews.audit.actions import describe_release, write_audit
from reviews.core.actor import SYSTEM
from reviews.releases.actions.reindex import AUTOMATIC_TITLE, UNFINISHED, start_reindex, swap_reindexed
from reviews.releases.selectors.live import find_latest_release

MAX_BUILDING = 2
"""Domains that are embedded anew at once: workers have other work, too."""
REST = dt.timedelta(hours=1)
"""How long a domain rests between two changes. While a deployment replaces processes one by one, some are configured
with the old model and some with the new: without a rest they would undo each other's work in turn."""

log = structlog.get_logger(__name__)


def follow_embedder_changes() -> list[int]:
    """Ids of releases that must be built now: re-indexes of domains whose live vectors another embedder made.

    Those of earlier runs go live as soon as all their passages have vectors and the golden gate is open; until then
    searches read the old release by keywords. A release with edits on the stage, a closed gate and a re-index that
    somebody started by hand are left to people. Nothing happens while the configured embedder knows no meaning: a wheel
    that does not run for a while must not cost the vectors. Locks each domain index.
    """
    if not settings.REINDEX_ON_EMBEDDER_CHANGE:
        return []
    started: list[int] = []
    domains = list_outdated_domains()
    _discard_needless([domain.index.pk for domain in domains])
    room = MAX_BUILDING - Release.objects.filter(title=AUTOMATIC_TITLE, state=ReleaseState.BUILDING).count()
    for domain, release in _match_releases(domains):
        try:
            if release is not None:
                _move_on(domain, release)
            elif room > 0 and not _rests(domain):
                started.append(start_reindex(domain.index, SYSTEM, title=AUTOMATIC_TITLE).pk)
                room -= 1
        except DomainError as error:
            log.warning("embedder_change_not_followed", domain_index=domain.index.pk, code=error.code)
    return started


def _match_releases(domains: Sequence[OutdatedDomain]) -> Iterator[tuple[OutdatedDomain, Release | None]]:
    """Each domain with what stands on its stage or is on the way there; a domain has one such release at most."""
    rows = Release.objects.filter(domain_index__in=[domain.index.pk for domain in domains], state__in=UNFINISHED)
    unfinished = {release.domain_index_id: release for release in rows.select_related("vector_space")}
    for domain in domains:
        yield domain, unfinished.get(domain.index.pk)


def _discard_needless(outdated: Sequence[int]) -> None:
    """Drop re-indexes of domains whose live release is right again: the configuration was changed back meanwhile."""
    rows = Release.objects.filter(title=AUTOMATIC_TITLE, state__in=UNFINISHED).exclude(domain_index__in=outdated)
    for release in rows.select_related("domain_index", "vector_space"):
        live = find_latest_release(release.domain_index_id)
        embedder = get_embedder(release.domain_index.domain)
        wanted = embedder.name, embedder.dims
        if live is not None and (live.vector_space.embedder, live.vector_space.dims) == wanted:
            _discard(release)


def _move_on(domain: OutdatedDomain, release: Release) -> None:
    if release.title != AUTOMATIC_TITLE:
        return
    if (release.vector_space.embedder, release.vector_space.dims) != (domain.embedder, domain.dims):
        _discard(release)
    elif release.state == ReleaseState.STAGED and release.gate_state in GATE_OPEN and not _waits_for_vectors(release):
        swap_reindexed(release_id=release.pk)


def _discard(release: Release) -> None:
    """The model has changed once more: the next run starts anew."""
    with atomic_action():
        discard_release(release.pk)
        entry = describe_release(release, "discarded", before=release.state, after=ReleaseState.DISCARDED, rebuild=True)
        write_audit([entry], actor=SYSTEM, tenant_id=release.tenant_id)


def _waits_for_vectors(release: Release) -> bool:
    waiting = LorePassage.objects.filter(domain_index=release.domain_index_id, embedding_state=EmbeddingState.PENDING)
    return waiting.filter(vector_space=release.vector_space_id).exists()


def _rests(domain: OutdatedDomain) -> bool:
    return domain.live.title == AUTOMATIC_TITLE and domain.live.created_at > timezone.now() - REST
