from __future__ import annotations

import pytest

from tests.factories.npcs import make_npc
from tests.factories.tenants import make_world


@pytest.fixture
def world(db):
    return make_world("ashfall", tenant="studio")


@pytest.fixture
def npc(world):
    return make_npc(world)
