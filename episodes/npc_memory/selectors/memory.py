"""NPCs with the scenes that they know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from episodes.campaigns.selectors.campaigns import open_summaries
from episodes.models import PartyMember
from episodes.npc_memory.selectors.knowledge import filter_known_by_npc, was_present
from npcs.dispositions.core.moves import Towards
from npcs.dispositions.selectors import list_impacts
from npcs.profiles.selectors.sheets import NpcSheet, get_sheet

MEMORY_SHOWN = 10
"""So many scenes are listed, the newest."""


@dataclass(frozen=True, slots=True)
class SceneMemory:
    """A scene that an NPC knows, and how; with what it moved, if anything that still stands."""

    summary_id: str
    known: Literal["present", "told"]
    """Who was there and was told as well, was there."""
    impact: int | float | None


@dataclass(frozen=True, slots=True)
class RememberingNpc:
    """An NPC, and the last scenes that it knows of the party or the user that was asked about, newest first."""

    sheet: NpcSheet
    memory: tuple[SceneMemory, ...]


def get_npc(
    *,
    tenant_id: int,
    world_id: int,
    npc_id: str,
    with_secrets: bool,
    towards: tuple[Towards, str] | None = None,
    version: int | None = None,
) -> RememberingNpc:
    """All that is told of one NPC. At most eight queries, whatever the sizes. Raises UnknownNpc."""
    sheet = get_sheet(
        tenant_id=tenant_id,
        world_id=world_id,
        npc_id=npc_id,
        with_secrets=with_secrets,
        towards=towards,
        version=version,
    )
    if towards is None:
        return RememberingNpc(sheet, ())
    npc_pk = sheet.profile.npc_pk
    memory = _list_memory(tenant_id=tenant_id, world_id=world_id, npc_id=npc_id, npc_pk=npc_pk, towards=towards)
    return RememberingNpc(sheet, memory)


def _list_memory(
    *, tenant_id: int, world_id: int, npc_id: str, npc_pk: int, towards: tuple[Towards, str]
) -> tuple[SceneMemory, ...]:
    kind, towards_id = towards
    rows = filter_known_by_npc(open_summaries(tenant_id), tenant_id=tenant_id, npc_id=npc_id).filter(world_id=world_id)
    if kind == "party":
        rows = rows.filter(party__external_id=towards_id)
    else:
        parties = PartyMember.objects.living().filter(tenant_id=tenant_id, end_user__external_id=towards_id)
        rows = rows.filter(party__in=parties.values("party_id"))
    known = dict(
        rows.annotate(was_present=was_present(tenant_id=tenant_id, npc_id=npc_id))
        .order_by("-happened_at", "-seq")
        .values_list("summary_id", "was_present")[:MEMORY_SHOWN]
    )
    impacts = list_impacts(
        tenant_id=tenant_id, npc_pk=npc_pk, towards_kind=kind, towards_id=towards_id, summary_ids=known
    )
    return tuple(
        SceneMemory(summary_id, "present" if present else "told", impacts.get(summary_id))
        for summary_id, present in known.items()
    )
