"""The one way to write an NPC's profile: by a change request, or at once where the world is not reviewed."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from knowledge.canon.actions import ensure_domain_index
from knowledge.errors import UnknownWorld
from npcs.errors import PersonaChanged, PersonaVersionRequired
from npcs.profiles.actions import write_profile
from npcs.profiles.core.profiles import Profile
from reviews.actions.constraints import atomic_action
from reviews.audit.actions import write_audit
from reviews.change_requests.actions.drafts import create_change_request
from reviews.change_requests.actions.review import submit_change_request, withdraw_change_request
from reviews.change_requests.models.changes import EDITABLE_STATES
from reviews.core.actor import SYSTEM, Actor
from reviews.core.permissions import require
from reviews.models import ChangeKind, ChangeRequest, ChangeState, NpcChangeItem
from reviews.npcs.actions.changes import (
    as_content,
    describe_npc,
    find_npc,
    list_changed,
    name_writer,
    save_npc_item,
)
from tenancy.models import NpcReview, World

DOMAIN = "lore"
"""The domain whose queue holds requests of NPCs: they belong to the world, and every world has its lore."""


@dataclass(frozen=True, slots=True)
class NpcWrite:
    """What came of a write: a version in force, or a request that waits."""

    npc_id: str
    persona_version: int
    outcome: str
    """`created`, `changed`, `unchanged`, `draft` or `in_review`."""
    change_request_id: int | None = None


def write_npc(
    *,
    actor: Actor,
    world_id: int,
    profile: Profile,
    expected_version: int | None = None,
    is_draft: bool = False,
    title: str = "",
    description: str = "",
) -> NpcWrite:
    """The profile in force, or proposed where the world's `npc_review` is on; a draft waits for its author.

    Who replaces a profile names the version that they have seen. Locks the world, then what the actions lock. Raises
    PersonaVersionRequired, PersonaChanged, InvalidProfile, RoleRequired.
    """
    require(actor, "create")
    with atomic_action():
        world = _lock_world(actor, world_id)
        current = find_npc(tenant_id=world.tenant_id, world_id=world.pk, npc_id=profile.npc_id)
        version = current.persona_version if current else 0
        if expected_version not in (None, version):
            raise PersonaChanged(
                f"The persona of {profile.npc_id!r} has version {version}, not {expected_version}.",
                persona_version=version,
            )
        if current is not None and not list_changed(current, profile):
            return NpcWrite(profile.npc_id, version, "unchanged")
        if current is not None and expected_version is None:
            raise PersonaVersionRequired(
                f"{profile.npc_id!r} is there, in version {version}: name the version that you have seen (If-Match).",
                persona_version=version,
            )
        if world.npc_review == NpcReview.OFF:
            return _write_at_once(actor, world, profile, version)
        request = _propose(actor, world, profile, version, is_draft, title, description)
    return NpcWrite(profile.npc_id, version, "draft" if is_draft else "in_review", request.pk)


def load_npc(*, world: World, profile: Profile, source: str, author: Actor | None) -> NpcWrite:
    """A file's profile: a new NPC in force at once, a change by the author's request where the world is reviewed.

    Raises ReviewRequired for a change without an author.
    """
    with atomic_action():
        current = find_npc(tenant_id=world.tenant_id, world_id=world.pk, npc_id=profile.npc_id)
        version = current.persona_version if current else 0
        if current is not None and not list_changed(current, profile):
            return NpcWrite(profile.npc_id, version, "unchanged")
        if current is not None and author is not None:
            return write_npc(actor=author, world_id=world.pk, profile=profile, expected_version=version)
        written = write_profile(
            tenant_id=world.tenant_id,
            world_id=world.pk,
            profile=profile,
            author=f"load_npcs {source}",
            expected_version=version,
        )
        entry = describe_npc(
            profile.npc_id,
            world.pk,
            before=version,
            after=written.persona_version,
            changed=list_changed(current, profile),
            source=source,
        )
        write_audit([entry], actor=SYSTEM, tenant_id=world.tenant_id)
    return NpcWrite(written.npc_id, written.persona_version, written.outcome)


def find_open_request(*, actor: Actor, world_id: int, npc_id: str) -> NpcChangeItem | None:
    """The actor's own item for this NPC in a request that is not decided yet, newest first."""
    items = NpcChangeItem.objects.filter(
        npc_id=npc_id,
        change_request__domain_index__world_id=world_id,
        change_request__state__in=[*EDITABLE_STATES, ChangeState.IN_REVIEW],
    ).select_related("change_request__domain_index__world")
    if actor.key_id is not None:
        items = items.filter(change_request__author_key_id=actor.key_id)
    else:
        items = items.filter(change_request__author_id=actor.user_id or 0)
    return items.order_by("-id").first()


def _lock_world(actor: Actor, world_id: int) -> World:
    """The world, row-locked. Raises UnknownWorld for other tenants' and, with a bound key, for other worlds."""
    worlds = World.objects.select_for_update(no_key=True).filter(pk=world_id)
    if actor.tenant_id is not None:
        worlds = worlds.filter(tenant_id=actor.tenant_id)
    world = worlds.first()
    if world is None or actor.world_id not in (None, world.pk):
        raise UnknownWorld("There is no such world.")
    return world


def _write_at_once(actor: Actor, world: World, profile: Profile, version: int) -> NpcWrite:
    current = find_npc(tenant_id=world.tenant_id, world_id=world.pk, npc_id=profile.npc_id)
    written = write_profile(
        tenant_id=world.tenant_id,
        world_id=world.pk,
        profile=profile,
        author=name_writer(actor),
        expected_version=version,
    )
    entry = describe_npc(
        profile.npc_id,
        world.pk,
        before=version,
        after=written.persona_version,
        changed=list_changed(current, profile),
        npc_review="off",
    )
    write_audit([entry], actor=actor, tenant_id=world.tenant_id)
    return NpcWrite(written.npc_id, written.persona_version, written.outcome)


def _propose(
    actor: Actor, world: World, profile: Profile, version: int, is_draft: bool, title: str, description: str
) -> ChangeRequest:
    """A request with the profile as its item. A key's newer proposal takes the place of its older one."""
    if actor.key_id is not None:
        older = find_open_request(actor=actor, world_id=world.pk, npc_id=profile.npc_id)
        if older is not None and (older.content, older.base_version) == (as_content(profile), version):
            return older.change_request
        if older is not None:
            withdraw_change_request(
                actor=actor, change_request_id=older.change_request_id, reason="The key proposed it anew."
            )
    with transaction.atomic():
        index = ensure_domain_index(world_id=world.pk, domain=DOMAIN)
        request = create_change_request(
            actor=actor,
            domain_index_id=index.pk,
            title=(title or f"{'Change' if version else 'New'} NPC {profile.npc_id}")[:200],
            description=description,
            kind=ChangeKind.NPC,
        )
        save_npc_item(actor=actor, change_request_id=request.pk, profile=profile, base_version=version)
        if not is_draft:
            request = submit_change_request(actor=actor, change_request_id=request.pk)
    return request
