"""Who NPCs are: written whole, each change a new version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.db import transaction

from npcs.errors import PersonaChanged, ReviewRequired
from npcs.models import Npc, NpcPersona
from npcs.profiles.core.profiles import Profile, StaticLayer, raise_invalid
from npcs.profiles.selectors.lore import find_dead_refs
from tenancy.models import NpcReview, World

MAX_AUTHOR_LENGTH = 200


@dataclass(frozen=True, slots=True)
class WrittenProfile:
    """What came of a write."""

    npc_id: str
    persona_version: int
    outcome: Literal["created", "changed", "unchanged"]


@dataclass(frozen=True, slots=True)
class Approval:
    """Who approved a profile, and in which change request."""

    change_request_id: int
    approved_by: str


def write_profile(
    *,
    tenant_id: int,
    world_id: int,
    profile: Profile,
    author: str,
    expected_version: int | None = None,
    approval: Approval | None = None,
) -> WrittenProfile:
    """The NPC is as the profile says; what differs from its newest persona becomes the next version.

    `expected_version` 0 means that the NPC may not be there yet. Lore references that the newest persona does not have
    must be live in the world's canon. Where the world has NPC changes reviewed, a later version needs an approval.
    Locks the NPC. Raises InvalidProfile, PersonaChanged, ReviewRequired.
    """
    with transaction.atomic():
        npc = _lock_npc(tenant_id, world_id, profile.npc_id)
        if expected_version not in (None, npc.persona_version):
            raise PersonaChanged(
                f"The persona of {profile.npc_id!r} has version {npc.persona_version}, not {expected_version}.",
                persona_version=npc.persona_version,
            )
        newest = NpcPersona.objects.filter(npc=npc, version=npc.persona_version).first()
        check_refs(world_id, profile.static, known=newest.lore_refs if newest else [])
        if newest is not None and approval is None and _differs(npc, newest, profile):
            _require_no_review(world_id, npc.npc_id)
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
            author=author[:MAX_AUTHOR_LENGTH],
            approved_by=approval.approved_by[:MAX_AUTHOR_LENGTH] if approval else "",
            change_request_id=approval.change_request_id if approval else None,
            **_columns(profile.static),
        )
        return WrittenProfile(npc.npc_id, version, "created" if newest is None else "changed")


def _lock_npc(tenant_id: int, world_id: int, npc_id: str) -> Npc:
    """The NPC, made on need, locked until the transaction ends."""
    Npc.objects.bulk_create([Npc(tenant_id=tenant_id, world_id=world_id, npc_id=npc_id)], ignore_conflicts=True)
    return Npc.objects.select_for_update().get(tenant_id=tenant_id, world_id=world_id, npc_id=npc_id)


def _differs(npc: Npc, newest: NpcPersona, profile: Profile) -> bool:
    return npc.state != profile.state or bytes(newest.content_hash) != profile.static.content_hash()


def _require_no_review(world_id: int, npc_id: str) -> None:
    if World.objects.filter(pk=world_id, npc_review=NpcReview.ON).exists():
        raise ReviewRequired(f"Changes of {npc_id!r} are reviewed in this world: propose one.", npc_id=npc_id)


def check_refs(world_id: int, static: StaticLayer, *, known: Sequence[str]) -> None:
    """Raise InvalidProfile for lore references that are neither known nor live in the world's canon."""
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
        "relations": [each.as_content() for each in static.relations],
        "content_hash": static.content_hash(),
    }
