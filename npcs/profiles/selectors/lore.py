"""Whether lore references lead somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F, Q

from knowledge.canon.models import AliasName, Publication


def find_dead_refs(*, world_id: int, slugs: Sequence[str]) -> tuple[str, ...]:
    """Those of the slugs under which nothing is live in any domain of the world's canon, in order. One query."""
    live = set(list_live_refs(world_id=world_id, slugs=slugs))
    return tuple(slug for slug in slugs if slug not in live)


def list_live_refs(*, world_id: int, slugs: Iterable[str], audience: Sequence[str] | None = None) -> tuple[str, ...]:
    """Those of the slugs that are live in `latest` of some domain and that the audience may know. One query."""
    wanted = list(slugs)
    if not wanted:
        return ()
    number = F("domain_index__aliases__release__number")
    rows = Publication.objects.filter(
        Q(removed_in__isnull=True) | Q(removed_in__gt=number),
        domain_index__world_id=world_id,
        domain_index__aliases__name=AliasName.LATEST,
        added_in__lte=number,
        slug__in=wanted,
    )
    if audience is not None:
        rows = rows.filter(audience__overlap=list(audience))
    live = set(rows.values_list("slug", flat=True))
    return tuple(slug for slug in wanted if slug in live)


@dataclass(frozen=True, slots=True)
class LoreRef:
    """Where a reference leads: to a document that is live or was; to none, where canon never had the slug."""

    slug: str
    title: str
    document_id: int | None
    is_live: bool


def list_refs(*, world_id: int, slugs: Sequence[str]) -> tuple[LoreRef, ...]:
    """The references in order, each with the newest document under its slug. At most two queries."""
    if not slugs:
        return ()
    live = set(list_live_refs(world_id=world_id, slugs=slugs))
    rows = Publication.objects.filter(domain_index__world_id=world_id, slug__in=list(slugs)).order_by("added_in", "pk")
    found = {row.slug: row for row in rows.only("slug", "title", "document_id")}
    return tuple(
        LoreRef(slug, found[slug].title, found[slug].document_id, slug in live)
        if slug in found
        else LoreRef(slug, slug, None, is_live=False)
        for slug in slugs
    )
