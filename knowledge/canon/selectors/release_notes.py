"""What a release changed, as far as a reader may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from knowledge.canon.models import PUBLIC, DomainIndex
from knowledge.canon.selectors.history import DocumentChange, ReleaseView, diff_releases, get_release
from knowledge.canon.selectors.releases import READABLE_STATES
from knowledge.canon.selectors.views import DocumentSummary
from knowledge.config import get_domain_settings
from knowledge.errors import UnknownDomain


@dataclass(frozen=True, slots=True)
class ReleaseNotes:
    """A release and what it changed in the one that it was built on."""

    release: ReleaseView
    changes: tuple[DocumentChange, ...] | None
    """None while the release is not fully built, or when it was discarded."""


def get_release_notes(*, world_id: int, domain: str, number: int, audience: Sequence[str] = (PUBLIC,)) -> ReleaseNotes:
    """A release with its changes by slug. Five queries. Raises UnknownDomain, UnknownRelease."""
    get_domain_settings(domain)
    index_id = DomainIndex.objects.filter(world_id=world_id, domain=domain).values_list("pk", flat=True).first()
    if index_id is None:
        raise UnknownDomain(f"This world has nothing in domain {domain!r} yet.")
    release = get_release(domain_index_id=index_id, number=number)
    if release.state not in READABLE_STATES:
        return ReleaseNotes(release, None)
    changes = diff_releases(domain_index_id=index_id, before=release.base_number, after=number)
    return ReleaseNotes(release, tuple(show_to(audience, changes)))


def show_to(audience: Sequence[str], changes: Iterable[DocumentChange]) -> Iterator[DocumentChange]:
    """The changes as the reader sees them: what comes out of hiding is added, what goes into it is removed."""
    for change in changes:
        before, after = _if_known(change.before, audience), _if_known(change.after, audience)
        if before and after:
            yield change
        elif after:
            yield replace(change, kind="added", before=None)
        elif before:
            yield replace(change, kind="removed", after=None)


def _if_known(summary: DocumentSummary | None, audience: Sequence[str]) -> DocumentSummary | None:
    return summary if summary is not None and set(summary.audience) & set(audience) else None
