"""The names that canon knows: titles and aliases of its public articles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from knowledge.canon.models import PUBLIC, Publication
from knowledge.canon.selectors.audience import LORE, live_in
from knowledge.canon.selectors.releases import resolve_release
from knowledge.errors import UnknownAlias, UnknownDomain

MAX_NAMES = 5000
"""Articles of one world."""


@dataclass(frozen=True, slots=True)
class CanonName:
    """An article's title and aliases as they are written, and its type."""

    slug: str
    names: tuple[str, ...]
    type: str


def list_names(*, world_id: int) -> tuple[CanonName, ...]:
    """The names of lore as it is live; none where nothing is. A release is immutable: its names are remembered."""
    try:
        release = resolve_release(world_id=world_id, domain=LORE)
    except (UnknownDomain, UnknownAlias):
        return ()
    return _read_names(release.domain_index_id, release.number)


@lru_cache(maxsize=32)
def _read_names(domain_index_id: int, number: int) -> tuple[CanonName, ...]:
    rows = Publication.objects.filter(
        live_in(number), domain_index_id=domain_index_id, audience__contains=[PUBLIC]
    ).order_by("slug")
    values = rows.values_list("slug", "type", "title", "revision__aliases")[:MAX_NAMES]
    return tuple(CanonName(slug, (title, *aliases), type_) for slug, type_, title, aliases in values)
