"""Row locks of the canon, always taken in this order: domain index, release, edits."""

from __future__ import annotations

from knowledge.canon.models import DomainIndex, Release
from knowledge.errors import UnknownDomain, UnknownRelease


def lock_domain_index(domain_index_id: int) -> DomainIndex:
    """The domain index, locked until the transaction ends; rows that refer to it can still be written."""
    try:
        return DomainIndex.objects.select_for_update(no_key=True).get(pk=domain_index_id)
    except DomainIndex.DoesNotExist:
        raise UnknownDomain("There is no such domain index.") from None


def lock_release(release_id: int) -> Release:
    """The release with its domain index and vector space; only the release is locked."""
    try:
        return (
            Release.objects.select_for_update(no_key=True, of=("self",))
            .select_related("domain_index", "vector_space")
            .get(pk=release_id)
        )
    except Release.DoesNotExist:
        raise UnknownRelease("There is no such release.") from None


def lock_release_in_index(release_id: int) -> Release:
    """The release, locked after its domain index."""
    found = Release.objects.filter(pk=release_id).values_list("domain_index_id", flat=True).first()
    if found is None:
        raise UnknownRelease("There is no such release.")
    lock_domain_index(found)
    return lock_release(release_id)
