"""What is live now: the latest release of a domain and the revision of each document in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import QuerySet

from knowledge.canon.models import Alias, AliasName, Publication, Release
from knowledge.canon.selectors.audience import live_in


def find_latest_release(domain_index_id: int, *, lock: bool = False) -> Release | None:
    """The release that `latest` points at; None before the first.

    With ``lock`` the alias row is locked, so that no swap moves it before this transaction ends.
    """
    aliases = Alias.objects.filter(domain_index_id=domain_index_id, name=AliasName.LATEST)
    if lock:
        # Not a share lock: Django has none. Two approvals in one domain wait for each other, briefly. The release is
        # read by a second statement: a join would still see the row that the alias pointed at before the wait.
        aliases = aliases.select_for_update()
    release_id = aliases.values_list("release_id", flat=True).first()
    return None if release_id is None else Release.objects.get(pk=release_id)


def list_live_publications(domain_index_id: int, *, lock: bool = False) -> QuerySet[Publication]:
    """The publications of the latest release, with their revisions; none before the first."""
    latest = find_latest_release(domain_index_id, lock=lock)
    if latest is None:
        return Publication.objects.none()
    return list_publications_in(domain_index_id, latest.number)


def list_publications_in(domain_index_id: int, number: int) -> QuerySet[Publication]:
    """The publications of one release, with their revisions."""
    return Publication.objects.filter(live_in(number), domain_index_id=domain_index_id).select_related("revision")


def find_live_by_document(
    domain_index_id: int, document_ids: Collection[int], *, lock: bool = False
) -> dict[int, Publication]:
    """Document id to its live publication, for those that are live."""
    return {
        publication.document_id: publication
        for publication in list_live_publications(domain_index_id, lock=lock).filter(document_id__in=document_ids)
    }


def find_live_by_slug(domain_index_id: int, slugs: Collection[str]) -> dict[str, Publication]:
    """Slug to its live publication, for those that are live."""
    return {each.slug: each for each in list_live_publications(domain_index_id).filter(slug__in=slugs)}


def find_unknown_slugs(domain_index_id: int, slugs: Collection[str], numbers: Iterable[int]) -> set[str]:
    """Those of the slugs that are live in none of the releases."""
    unknown = set(slugs)
    for number in numbers:
        if unknown:
            known = list_publications_in(domain_index_id, number).filter(slug__in=unknown)
            unknown -= set(known.values_list("slug", flat=True))
    return unknown


def find_never_used_slugs(domain_index_id: int, slugs: Collection[str]) -> set[str]:
    """Those of the slugs that no release of the domain has ever used."""
    used = Publication.objects.filter(domain_index_id=domain_index_id, slug__in=slugs).values_list("slug", flat=True)
    return set(slugs) - set(used)
