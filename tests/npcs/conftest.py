from __future__ import annotations

import datetime as dt

import pytest

from npcs.dispositions.actions.moves import apply_disposition_changes
from npcs.dispositions.core.moves import DispositionChange
from npcs.models import Npc, NpcPersona
from tests.worlds import make_world

NOW = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)


def make_npc(world, npc_id="npc_LiShen", **static):
    npc = Npc.objects.create(tenant_id=world.tenant_id, world=world, npc_id=npc_id)
    values = {"name": "Li Shen", "author": "test", "content_hash": b"\0" * 32, **static}
    NpcPersona.objects.create(tenant_id=world.tenant_id, npc=npc, version=1, **values)
    npc.refresh_from_db()
    return npc


def move(
    world, *deltas, npc_id="npc_LiShen", kind="party", towards="pty_001", summary_id="sum_1", reason="kept promise"
):
    return apply_disposition_changes(
        tenant_id=world.tenant_id,
        world_id=world.pk,
        changes=[DispositionChange(npc_id, kind, towards, delta, reason) for delta in deltas],
        summary_id=summary_id,
        campaign_id="camp_123",
        happened_at=NOW,
    )


@pytest.fixture
def world(db):
    return make_world("ashfall", tenant="studio")


@pytest.fixture
def npc(world):
    return make_npc(world)
