"""All that is told of one NPC at once, by what the reader may know."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from knowledge.canon.models import PUBLIC
from npcs.dispositions.core.moves import Towards
from npcs.dispositions.selectors import Standing, get_standing
from npcs.profiles.selectors.lore import list_live_refs
from npcs.profiles.selectors.profiles import ProfileView, get_profile


@dataclass(frozen=True, slots=True)
class NpcSheet:
    """An NPC, how it stands towards the one who was asked about, and which lore references lead nowhere now.

    A sheet without secrets holds references to public articles only, and says of none that it is gone: what the NPC
    alone may know, its reader may not.
    """

    profile: ProfileView
    standing: Standing | None
    retired_refs: tuple[str, ...]
    has_secrets: bool


def get_sheet(
    *,
    tenant_id: int,
    world_id: int,
    npc_id: str,
    with_secrets: bool,
    towards: tuple[Towards, str] | None = None,
    version: int | None = None,
    at: dt.datetime | None = None,
) -> NpcSheet:
    """The NPC's sheet, now or as of a time. At most four queries, whatever the sizes. Raises UnknownNpc."""
    profile = get_profile(tenant_id=tenant_id, world_id=world_id, npc_id=npc_id, version=version, at=at)
    standing = None
    if towards is not None:
        kind, towards_id = towards
        standing = get_standing(
            tenant_id=tenant_id,
            world_id=world_id,
            npc_pk=profile.npc_pk,
            towards_kind=kind,
            towards_id=towards_id,
            at=at,
        )
    refs = profile.static.lore_refs
    if with_secrets:
        live = list_live_refs(world_id=world_id, slugs=refs)
        return NpcSheet(profile, standing, tuple(slug for slug in refs if slug not in live), has_secrets=True)
    known = list_live_refs(world_id=world_id, slugs=refs, audience=(PUBLIC,))
    shown = replace(profile, static=replace(profile.static, secrets=(), relations=(), lore_refs=known))
    return NpcSheet(shown, standing, (), has_secrets=False)
