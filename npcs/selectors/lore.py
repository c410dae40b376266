"""Whether lore references lead somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
