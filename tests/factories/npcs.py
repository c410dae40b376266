"""NPCs, row by row, and how they stand to others."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from npcs.dispositions.actions.moves import apply_disposition_changes
from npcs.dispositions.core.moves import AppliedDisposition, DispositionChange
from npcs.models import Npc, NpcPersona
from npcs.profiles.actions import write_profile
from npcs.profiles.core.profiles import parse_profile
from tenancy.models import World

NOW = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)


def make_npc(world: World, npc_id: str = "npc_LiShen", **persona: Any) -> Npc:
    """An NPC with a first persona, as rows: no rule about profiles is asked."""
    npc = Npc.objects.create(tenant_id=world.tenant_id, world=world, npc_id=npc_id)
    values = {"name": "Li Shen", "author": "test", "content_hash": b"\0" * 32, **persona}
    NpcPersona.objects.create(tenant_id=world.tenant_id, npc=npc, version=1, **values)
    npc.refresh_from_db()
    return npc


def write_npc(world: World, npc_id: str = "npc_LiShen", *, author: str = "test", **static: Any) -> Npc:
    """An NPC by its profile, as the engine writes it."""
    profile = parse_profile({"npc_id": npc_id, "static": {"name": "Li Shen", **static}})
    write_profile(tenant_id=world.tenant_id, world_id=world.pk, profile=profile, author=author)
    return Npc.objects.get(tenant_id=world.tenant_id, world=world, npc_id=npc_id)


def move_disposition(
    world: World,
    *deltas: float,
    npc_id: str = "npc_LiShen",
    kind: Literal["party", "user"] = "party",
    towards: str = "pty_001",
    summary_id: str = "sum_1",
    reason: str = "kept promise",
) -> list[AppliedDisposition]:
    """An NPC likes a party or a player more or less, in steps."""
    return apply_disposition_changes(
        tenant_id=world.tenant_id,
        world_id=world.pk,
        changes=[DispositionChange(npc_id, kind, towards, delta, reason) for delta in deltas],
        summary_id=summary_id,
        campaign_id="camp_123",
        happened_at=NOW,
    )
