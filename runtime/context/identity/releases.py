"""Which canon a turn reads: a release of each domain."""

from __future__ import annotations

from knowledge.canon.models import AliasName
from knowledge.canon.selectors.releases import ResolvedRelease, find_releases, resolve_release
from knowledge.errors import UnknownAlias
from runtime.context.request import ContextRequest

LORE, RULES = "lore", "srd"


def find_turn_releases(request: ContextRequest) -> dict[str, ResolvedRelease]:
    """Domain to the release to read, lore first, without those that were never published. One query, or two.

    A number names a release of lore. Raises UnknownRelease, UnknownAlias.
    """
    domains = [LORE, RULES] if request.release is None else [RULES]
    found = find_releases(
        world_id=request.world_id, domains=domains, alias=request.alias, session_id=request.session_id
    )
    if request.release is not None:
        lore = resolve_release(world_id=request.world_id, domain=LORE, release=request.release)
        return {LORE: lore, **found}
    if LORE not in found and request.alias != AliasName.LATEST:
        raise UnknownAlias(f"The alias {request.alias!r} of domain {LORE!r} points at no release.")
    return found
