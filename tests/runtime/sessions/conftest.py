from __future__ import annotations

import pytest

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_message, store_messages
from episodes.conversations.core.drafts import MessageDraft
from runtime.session_memory.circuit import CIRCUIT
from runtime.session_memory.core.keys import SessionRef
from tests.worlds import make_world


@pytest.fixture(autouse=True)
def _closed_circuit():
    CIRCUIT.reset()
    yield
    CIRCUIT.reset()


class Talk:
    """One player's conversation in a world; messages name their session and NPC."""

    def __init__(self, world) -> None:
        self.world = world
        self.conversation = open_conversation(
            tenant_id=world.tenant_id, user_id="player-1", world_id=world.pk
        ).conversation

    def session(self, session_id: str = "s") -> SessionRef:
        return SessionRef(self.world.tenant_id, self.world.pk, session_id)

    def say(self, content: str, *, npc_id: str = "oda", session_id: str = "s", role: str = "user", **more) -> int:
        """The id of the stored message."""
        draft = MessageDraft(role=role, content=content, npc_id=npc_id, session_id=session_id, **more)
        stored = store_message(tenant_id=self.world.tenant_id, conversation_id=self.conversation.pk, draft=draft)
        return stored.message.pk

    def say_all(self, contents, *, npc_id: str = "oda", session_id: str = "s") -> list[int]:
        drafts = [MessageDraft(role="user", content=text, npc_id=npc_id, session_id=session_id) for text in contents]
        stored = store_messages(tenant_id=self.world.tenant_id, conversation_id=self.conversation.pk, drafts=drafts)
        return [each.message.pk for each in stored]


@pytest.fixture
def make_talk(transactional_db, redis):
    def make(*, tenant: str = "studio", world: str = "ashfall") -> Talk:
        return Talk(make_world(world, tenant=tenant))

    return make


@pytest.fixture
def talk(make_talk):
    return make_talk()
