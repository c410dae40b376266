"""Reads of what NPCs pass on to each other, and of how they stand towards parties."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import F

from npcs.models import Disposition, Npc, NpcPersona, NpcState
from npcs.profiles.core.relations import Relation, make_relations


@dataclass(frozen=True, slots=True)
class NpcRelation:
    """Who tells whom what."""

    teller: str
    relation: Relation


def list_sharing_relations(*, tenant_id: int, world_id: int) -> tuple[NpcRelation, ...]:
    """The relations between active NPCs of the world by which something is passed on, by teller. One or two queries."""
    rows = (
        NpcPersona.objects.filter(
            tenant_id=tenant_id, npc__world_id=world_id, npc__state=NpcState.ACTIVE, version=F("npc__persona_version")
        )
        .exclude(relations=[])
        .order_by("npc__npc_id")
        .values_list("npc__npc_id", "relations")
    )
    found = [
        NpcRelation(npc_id, each)
        for npc_id, content in rows
        for each in make_relations(content)
        if each.shares != "none"
    ]
    if not found:
        return ()
    wanted = {each.relation.npc_id for each in found}
    known = list_active_npc_ids(tenant_id=tenant_id, world_id=world_id, npc_ids=wanted)
    return tuple(each for each in found if each.relation.npc_id in known)


def list_npc_secrets(*, tenant_id: int, world_id: int, npc_ids: Collection[str]) -> dict[str, tuple[str, ...]]:
    """What the NPCs keep to themselves. One query."""
    rows = NpcPersona.objects.filter(
        tenant_id=tenant_id, npc__world_id=world_id, npc__npc_id__in=list(npc_ids), version=F("npc__persona_version")
    )
    return {npc_id: tuple(secrets) for npc_id, secrets in rows.values_list("npc__npc_id", "secrets")}


def list_active_npc_ids(*, tenant_id: int, world_id: int, npc_ids: Collection[str]) -> frozenset[str]:
    """Those of the ids that name an active NPC of the world. One query, none for no ids."""
    if not npc_ids:
        return frozenset()
    rows = Npc.objects.filter(tenant_id=tenant_id, world_id=world_id, state=NpcState.ACTIVE, npc_id__in=list(npc_ids))
    return frozenset(rows.values_list("npc_id", flat=True))


def list_party_dispositions(
    *, tenant_id: int, world_id: int, npc_ids: Collection[str], party_ids: Collection[str]
) -> dict[tuple[str, str], float]:
    """How the NPCs stand towards the parties, where anything ever moved them: by NPC and party. One query."""
    rows = Disposition.objects.filter(
        tenant_id=tenant_id,
        npc__world_id=world_id,
        npc__npc_id__in=list(npc_ids),
        party_id__in=list(party_ids),
        end_user__isnull=True,
    )
    return {(npc, party): float(value) for npc, party, value in rows.values_list("npc__npc_id", "party_id", "value")}
