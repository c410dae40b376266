"""What an NPC may know, as the audience tags that a search filters by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from knowledge.canon.models import PUBLIC, Publication
from knowledge.canon.selectors.releases import ResolvedRelease, resolve_release
from knowledge.errors import UnknownAlias, UnknownDomain

LORE = "lore"


def live_in(number: int) -> Q:
    """The condition for rows that are live in a release."""
    return Q(added_in__lte=number) & (Q(removed_in__isnull=True) | Q(removed_in__gt=number))


def get_npc_audience(world_id: int, npc_id: str, *, release: ResolvedRelease | None = None) -> tuple[str, ...]:
    """`public`, the NPC's own tag, and its factions as its character article in lore names them.

    The factions are read in `release` if that is one of lore, else in lore's `latest`. An NPC without an article has
    no factions. At most two queries.
    """
    if release is None or release.domain != LORE:
        try:
            release = resolve_release(world_id=world_id, domain=LORE)
        except (UnknownDomain, UnknownAlias):
            return name_audience(npc_id, None)
    fields = (
        Publication.objects.filter(live_in(release.number), domain_index_id=release.domain_index_id, slug=npc_id)
        .values_list("revision__fields", flat=True)
        .first()
    )
    return name_audience(npc_id, fields)


def name_audience(npc_id: str, fields: Mapping[str, Any] | None) -> tuple[str, ...]:
    """What an NPC may know by the fields of its character article, or by none."""
    factions = (fields or {}).get("factions") or []
    if isinstance(factions, str):
        factions = [factions]
    return (PUBLIC, f"npc:{npc_id}", *(f"faction:{faction.strip('[]')}" for faction in factions))
