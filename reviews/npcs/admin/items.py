"""What a request changes of NPCs, as a reviewer reads it: against the persona that is in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npcs.models import Npc
from npcs.profiles.admin.versions import FieldChange, compare_layers
from npcs.profiles.core.profiles import StaticLayer, parse_profile
from npcs.profiles.selectors.profiles import ProfileView, get_profile
from reviews.models import ChangeRequest, ChangeState, NpcChangeItem
from reviews.npcs.actions.changes import find_npc


@dataclass(frozen=True, slots=True)
class NpcItemView:
    """An item with its difference, word by word; secrets too, since who reviews them must read them."""

    item: NpcChangeItem
    npc_pk: int | None
    name: str
    against: str
    changes: Sequence[FieldChange]
    state: tuple[str, str] | None
    """The NPC's state before and after, where it changes."""
    stale: bool
    warnings: Sequence[str]


def describe_npc_items(request: ChangeRequest) -> list[NpcItemView]:
    """The NPC items of one request."""
    return [_describe(request, item) for item in request.npc_items.order_by("id")]


def _describe(request: ChangeRequest, item: NpcChangeItem) -> NpcItemView:
    world_id = request.domain_index.world_id
    profile = parse_profile(item.content)
    current = find_npc(tenant_id=request.tenant_id, world_id=world_id, npc_id=item.npc_id)
    is_done = request.state == ChangeState.LIVE
    before = _read_base(request, item, current) if is_done else current
    version = current.persona_version if current else 0
    npc = Npc.objects.filter(world_id=world_id, npc_id=item.npc_id, persona_version__gt=0).first()
    old_state = before.state if before and not is_done else profile.state
    return NpcItemView(
        item=item,
        npc_pk=npc.pk if npc else None,
        name=profile.static.name,
        against=f"version {before.persona_version}" if before else "a new NPC",
        changes=compare_layers(before.static if before else StaticLayer(name=""), profile.static),
        state=(old_state, profile.state) if old_state != profile.state else None,
        stale=not is_done and version != item.base_version,
        warnings=_find_warnings(before.static if before else None, profile.static),
    )


def _read_base(request: ChangeRequest, item: NpcChangeItem, current: ProfileView | None) -> ProfileView | None:
    if item.base_version == 0 or current is None:
        return None
    return get_profile(
        tenant_id=request.tenant_id,
        world_id=request.domain_index.world_id,
        npc_id=item.npc_id,
        version=item.base_version,
    )


def _find_warnings(before: StaticLayer | None, after: StaticLayer) -> list[str]:
    """What a reviewer should not overlook."""
    told = [secret for secret in after.secrets if secret in after.persona]
    warnings = ["A secret stands in the persona, which all who may read are told."] if told else []
    gone = [secret for secret in before.secrets if secret not in after.secrets] if before else []
    if gone:
        warnings.append(f"{len(gone)} secret{'s' if len(gone) > 1 else ''} would be gone or worded anew.")
    return warnings
