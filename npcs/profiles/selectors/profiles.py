"""Reads of who NPCs are, each within its tenant and world."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, QuerySet

from npcs.errors import UnknownNpc
from npcs.models import NpcPersona
from npcs.profiles.core.profiles import StaticLayer
from npcs.profiles.core.relations import make_relations


@dataclass(frozen=True, slots=True)
class ProfileView:
    """One version of an NPC's static layer."""

    npc_pk: int
    npc_id: str
    state: str
    persona_version: int
    static: StaticLayer
    author: str
    created_at: dt.datetime


@dataclass(frozen=True, slots=True)
class NpcMarkers:
    """What pictures of an NPC must and may not carry."""

    npc_id: str
    name: str
    must_have: tuple[str, ...]
    banned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProfilePage:
    """Profiles in the order of ids, and where to go on; None where there are no more."""

    profiles: tuple[ProfileView, ...]
    next_after: str | None


def get_profile(
    *, tenant_id: int, world_id: int, npc_id: str, version: int | None = None, at: dt.datetime | None = None
) -> ProfileView:
    """The NPC as it is, in one version, or as it was at a time. One query. Raises UnknownNpc."""
    rows = _personas(tenant_id, world_id).filter(npc__npc_id=npc_id.replace("\x00", " "))
    if version is not None:
        rows = rows.filter(version=version)
    elif at is not None:
        rows = rows.filter(created_at__lte=at).order_by("-version")
    else:
        rows = rows.filter(version=F("npc__persona_version"))
    found = rows.first()
    if found is None:
        raise UnknownNpc(f"There is no NPC {npc_id!r}.", npc_id=npc_id)
    return _view(found)


def list_profiles(
    *,
    tenant_id: int,
    world_id: int,
    npc_ids: Iterable[str] | None = None,
    state: str | None = None,
    after: str = "",
    limit: int = 50,
) -> ProfilePage:
    """The NPCs as they are, in the order of ids. One query."""
    rows = _personas(tenant_id, world_id).filter(version=F("npc__persona_version"))
    if npc_ids is not None:
        rows = rows.filter(npc__npc_id__in=[npc_id for npc_id in npc_ids if "\x00" not in npc_id])
    if state is not None:
        rows = rows.filter(npc__state=state)
    if after:
        rows = rows.filter(npc__npc_id__gt=after)
    found = [_view(row) for row in rows.order_by("npc__npc_id")[: limit + 1]]
    return ProfilePage(tuple(found[:limit]), found[limit - 1].npc_id if len(found) > limit else None)


def list_personas(*, tenant_id: int, npc_pk: int, limit: int = 50) -> tuple[ProfileView, ...]:
    """The versions of an NPC, newest first. One query."""
    rows = NpcPersona.objects.select_related("npc").filter(tenant_id=tenant_id, npc_id=npc_pk).order_by("-version")
    return tuple(_view(row) for row in rows[:limit])


def list_markers(*, tenant_id: int, world_id: int, npc_ids: Iterable[str]) -> tuple[NpcMarkers, ...]:
    """The markers of the NPCs, in the order of ids; of unknown ones, none. One query."""
    wanted = list(npc_ids)
    if not wanted:
        return ()
    page = list_profiles(tenant_id=tenant_id, world_id=world_id, npc_ids=wanted, limit=len(wanted))
    return tuple(
        NpcMarkers(each.npc_id, each.static.name, each.static.must_have, each.static.banned) for each in page.profiles
    )


def _personas(tenant_id: int, world_id: int) -> QuerySet[NpcPersona]:
    return NpcPersona.objects.select_related("npc").filter(npc__tenant_id=tenant_id, npc__world_id=world_id)


def _view(row: NpcPersona) -> ProfileView:
    return ProfileView(
        npc_pk=row.npc_id,
        npc_id=row.npc.npc_id,
        state=row.npc.state,
        persona_version=row.version,
        static=StaticLayer(
            name=row.name,
            names=row.names,
            languages=tuple(row.languages),
            archetype=row.archetype,
            voice_tts=row.voice_tts,
            persona=row.persona,
            secrets=tuple(row.secrets),
            lore_refs=tuple(row.lore_refs),
            must_have=tuple(row.must_have),
            banned=tuple(row.banned),
            relations=make_relations(row.relations),
        ),
        author=row.author,
        created_at=row.created_at,
    )
