"""Who NPCs are: written whole, each change a new version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.db import transaction

from npcs.core.profiles import Profile, StaticLayer, raise_invalid
from npcs.errors import PersonaChanged
from npcs.models import Npc, NpcPersona
from npcs.selectors.lore import find_dead_refs

AUTHOR_LENGTH_MOST = 200


@dataclass(frozen=True, slots=True)
class WrittenProfile:
    """What came of a write."""

    npc_id: str
    persona_version: int
    outcome: Literal["created", "changed", "unchanged"]


def write_profile(
    *, tenant_id: int, world_id: int, profile: Profile, author: str, expected_version: int | None = None
) -> WrittenProfile:
    """The NPC is as the profile says; what differs from its newest persona becomes the next version.

    `expected_version` 0 means that the NPC may not be there yet. Lore references that the newest persona does not have
    must be live in the world's canon. Locks the NPC. Raises InvalidProfile, PersonaChanged.
    """
    with transaction.atomic():
        npc = _lock_npc(tenant_id, world_id, profile.npc_id)
        if expected_version not in (None, npc.persona_version):
            raise PersonaChanged(
                f"The persona of {profile.npc_id!r} has version {npc.persona_version}, not {expected_version}.",
                persona_version=npc.persona_version,
            )
        newest = NpcPersona.objects.filter(npc=npc, version=npc.persona_version).first()
        _check_refs(world_id, profile.static, known=newest.lore_refs if newest else [])
        if npc.state != profile.state:
            Npc.objects.filter(pk=npc.pk).update(state=profile.state)
        if newest is not None and bytes(newest.content_hash) == profile.static.content_hash():
            return WrittenProfile(
                npc.npc_id, npc.persona_version, "unchanged" if npc.state == profile.state else "changed"
            )
        version = npc.persona_version + 1
        NpcPersona.objects.create(
            tenant_id=tenant_id,
            npc=npc,
            version=version,
            author=author[:AUTHOR_LENGTH_MOST],
            **_columns(profile.static),
        )
        return WrittenProfile(npc.npc_id, version, "created" if newest is None else "changed")


def _lock_npc(tenant_id: int, world_id: int, npc_id: str) -> Npc:
    """The NPC, made on need, locked until the transaction ends."""
    Npc.objects.bulk_create([Npc(tenant_id=tenant_id, world_id=world_id, npc_id=npc_id)], ignore_conflicts=True)
    return Npc.objects.select_for_update().get(tenant_id=tenant_id, world_id=world_id, npc_id=npc_id)


def _check_refs(world_id: int, static: StaticLayer, *, known: list[str]) -> None:
    new = [slug for slug in static.lore_refs if slug not in known]
    dead = find_dead_refs(world_id=world_id, slugs=new)
    if dead:
        places = {slug: place for place, slug in enumerate(static.lore_refs)}
        raise_invalid(
            [
                {"path": f"static.lore_refs[{places[slug]}]", "message": f"{slug!r} is not in this world's canon"}
                for slug in dead
            ]
        )


def _columns(static: StaticLayer) -> dict[str, object]:
    return {
        "name": static.name,
        "names": dict(static.names),
        "languages": list(static.languages),
        "archetype": static.archetype,
        "voice_tts": static.voice_tts,
        "persona": static.persona,
        "secrets": list(static.secrets),
        "lore_refs": list(static.lore_refs),
        "must_have": list(static.must_have),
        "banned": list(static.banned),
        "content_hash": static.content_hash(),
    }
