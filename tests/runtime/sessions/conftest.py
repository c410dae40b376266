from __future__ import annotations

import pytest

from runtime.session_memory.core.keys import SessionRef
from tests.factories.conversations import open_chat, say
from tests.factories.tenants import make_world


@pytest.fixture(autouse=True)
def _closed_circuit(closed_circuit):
    """For every test here."""


class Talk:
    """One player's conversation in a world; messages name their session and NPC."""

    def __init__(self, world) -> None:
        self.world = world
        self.conversation = open_chat(world.tenant, world=world)

    def session(self, session_id: str = "s") -> SessionRef:
        return SessionRef(self.world.tenant_id, self.world.pk, session_id)

    def say(self, content: str, **more) -> int:
        """The id of the stored message."""
        return self.say_all([content], **more)[0]

    def say_all(self, contents, *, npc_id: str = "oda", session_id: str = "s", **more) -> list[int]:
        """The ids of the stored messages."""
        stored = say(self.conversation, *contents, npc_id=npc_id, session_id=session_id, **more)
        return [each.pk for each in stored]


@pytest.fixture
def make_talk(transactional_db, redis):
    def make(*, tenant: str = "studio", world: str = "ashfall") -> Talk:
        return Talk(make_world(world, tenant=tenant))

    return make


@pytest.fixture
def talk(make_talk):
    return make_talk()
