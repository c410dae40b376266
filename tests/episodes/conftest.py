from __future__ import annotations

import pytest

from tenancy.actions.worlds import ensure_tenant
from tests.factories.campaigns import start
from tests.factories.npcs import make_npc
from tests.factories.tenants import make_world


@pytest.fixture
def rival(db):
    return ensure_tenant(slug="rival", name="Rival")


@pytest.fixture
def world(db, redis):
    """A world with a keeper of the bridge and an open campaign."""
    world = make_world("ashfall", tenant="studio")
    make_npc(world)
    start(world)
    return world
