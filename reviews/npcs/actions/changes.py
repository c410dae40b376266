"""NPC profiles through review: kept as items of a change request, live at once when a second person approves."""

from __future__ import annotations

from collections.abc import Sequence

from npcs.errors import PersonaChanged, UnknownNpc
from npcs.profiles.actions import Approval, check_refs, write_profile
from npcs.profiles.core.profiles import Profile, StaticLayer, parse_profile
from npcs.profiles.selectors.profiles import ProfileView, get_profile
from reviews import errors
from reviews.actions.constraints import atomic_action
from reviews.audit.actions import Transition, describe_request, write_audit
from reviews.change_requests.actions.drafts import lock_draft, touch
from reviews.change_requests.actions.transitions import move_request
from reviews.change_requests.selectors.items import get_item_version
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.models import ChangeKind, ChangeRequest, ChangeState, NpcChangeItem


def find_npc(*, tenant_id: int, world_id: int, npc_id: str) -> ProfileView | None:
    """The NPC as it is; None where it was never written."""
    try:
        return get_profile(tenant_id=tenant_id, world_id=world_id, npc_id=npc_id)
    except UnknownNpc:
        return None


def save_npc_item(
    *,
    actor: Actor,
    change_request_id: int,
    profile: Profile,
    base_version: int,
    item_id: int | None = None,
    expected_item_version: str | None = None,
) -> NpcChangeItem:
    """The profile as an item of a draft; ``item_id`` names one to overwrite. Locks the request.

    Raises PersonaChanged if the change began from another persona than the newest, ItemChanged if someone else (or
    another tab) saved the item meanwhile, NothingToChange, InvalidProfile, ItemsFrozen, UnknownItem.
    """
    require(actor, "edit")
    with atomic_action():
        request = lock_draft(actor, change_request_id)
        if request.kind != ChangeKind.NPC:
            raise errors.InvalidField("The request is of articles, not of NPCs.", field="change_request")
        world_id = request.domain_index.world_id
        item = _find_item(request, item_id) if item_id is not None else None
        if item is not None and expected_item_version not in (None, get_item_version(item)):
            raise errors.ItemChanged("The item was saved by someone else, or in another window.", item=item.pk)
        current = find_npc(tenant_id=request.tenant_id, world_id=world_id, npc_id=profile.npc_id)
        _check_base(profile, current, base_version)
        check_refs(world_id, profile.static, known=current.static.lore_refs if current else ())
        if item is None:
            item = NpcChangeItem(tenant_id=request.tenant_id, change_request=request)
        before = item.base_version if item.pk else None
        item.npc_id, item.base_version, item.content = profile.npc_id, base_version, as_content(profile)
        item.save()
        touch(request)
        entry = describe_request(
            request,
            "item_saved",
            before="" if before is None else "update",
            after="create" if base_version == 0 else "update",
            item=item.pk,
            npc=item.npc_id,
            changed=list_changed(current, profile),
        )
        write_audit([entry], actor=actor, tenant_id=request.tenant_id)
    return item


def remove_npc_item(*, actor: Actor, change_request_id: int, item_id: int) -> None:
    """Take an NPC out of a draft. Locks the request."""
    require(actor, "edit")
    with atomic_action():
        request = lock_draft(actor, change_request_id)
        item = _find_item(request, item_id)
        entry = describe_request(request, "item_removed", item=item.pk, npc=item.npc_id)
        item.delete()
        touch(request)
        write_audit([entry], actor=actor, tenant_id=request.tenant_id)


def check_npc_items(request: ChangeRequest, items: Sequence[NpcChangeItem]) -> None:
    """Raise StaleItems for NPCs that have another persona by now than the one that the change began from."""
    stale = []
    for item in items:
        current = find_npc(tenant_id=request.tenant_id, world_id=request.domain_index.world_id, npc_id=item.npc_id)
        if (current.persona_version if current else 0) != item.base_version:
            stale.append(item)
    if stale:
        names = ", ".join(repr(item.npc_id) for item in stale)
        raise errors.StaleItems(
            f"Changed by someone else since this request was begun: {names}. Open them and save on what stands now.",
            npcs=[{"item": item.pk, "npc_id": item.npc_id} for item in stale],
            remedy="rebase",
            change_request=request.pk,
        )


def publish_npc_items(request: ChangeRequest, items: Sequence[NpcChangeItem], *, actor: Actor) -> None:
    """The profiles of a locked, approved request, in force; the request is live. Locks the NPCs."""
    world_id = request.domain_index.world_id
    approval = Approval(change_request_id=request.pk, approved_by=name_writer(actor))
    entries = []
    for item in items:
        profile = parse_profile(item.content)
        current = find_npc(tenant_id=request.tenant_id, world_id=world_id, npc_id=item.npc_id)
        try:
            written = write_profile(
                tenant_id=request.tenant_id,
                world_id=world_id,
                profile=profile,
                author=name_author_of(request),
                expected_version=item.base_version,
                approval=approval,
            )
        except PersonaChanged as error:
            raise errors.StaleItems(error.detail, remedy="rebase", change_request=request.pk) from error
        item.written_version = written.persona_version
        item.save(update_fields=["written_version", "updated_at"])
        entries.append(
            describe_npc(
                item.npc_id,
                world_id,
                before=item.base_version,
                after=written.persona_version,
                changed=list_changed(current, profile),
                change_request=request.pk,
            )
        )
    write_audit(entries, actor=actor, tenant_id=request.tenant_id)
    move_request(request, ChangeState.LIVE, actor=actor, action="went_live")


def describe_npc(npc_id: str, world_id: int, *, before: int, after: int, **details: object) -> Transition:
    """A profile's write for the log: which members changed, without what they say (secrets stay secret)."""
    return Transition(
        action="npc.profile_written",
        object_type="npc",
        object_id=0,
        object_label=npc_id,
        before=str(before or ""),
        after=str(after),
        details={"world": world_id, "npc_id": npc_id} | details,
    )


def list_changed(current: ProfileView | None, profile: Profile) -> list[str]:
    """Names of the members of a profile that differ from what stands."""
    old = (current.static if current else StaticLayer(name="")).as_content()
    new = profile.static.as_content()
    changed = [name for name in {**old, **new} if new.get(name) != old.get(name)]
    return changed + (["state"] if current is not None and current.state != profile.state else [])


def as_content(profile: Profile) -> dict[str, object]:
    """The whole profile in the form of the schema."""
    return {"npc_id": profile.npc_id, "state": profile.state, "static": profile.static.as_content()}


def name_writer(actor: Actor) -> str:
    """How the actor stands in versions of NPCs."""
    return f"staff {actor.label}" if actor.type == "user" else actor.label


def name_author_of(request: ChangeRequest) -> str:
    """How the author of a request stands in versions of NPCs."""
    if request.author is not None:
        return f"staff {request.author.get_username()}"
    return f"API key {request.author_key.prefix}" if request.author_key else ""


def _check_base(profile: Profile, current: ProfileView | None, base_version: int) -> None:
    version = current.persona_version if current else 0
    if version != base_version:
        raise PersonaChanged(
            f"The persona of {profile.npc_id!r} has version {version}, not {base_version}.", persona_version=version
        )
    if current is not None and not list_changed(current, profile):
        raise errors.NothingToChange(f"The NPC {profile.npc_id!r} is so already.", npc_id=profile.npc_id)


def _find_item(request: ChangeRequest, item_id: int) -> NpcChangeItem:
    item = request.npc_items.filter(pk=item_id).first()
    if item is None:
        raise errors.UnknownItem(f"Request {request.pk} has no item {item_id}.")
    return item
