from __future__ import annotations

import json

import pytest

from episodes.conversations.actions.conversations import open_conversation
from episodes.conversations.actions.messages import store_messages
from episodes.conversations.core.drafts import MessageDraft
from tests.loopback_openai import serve_openai

LONG = (
    "Yesterday I went to the harbour with Maria; I can't stand fish, but the 3 soups were fine. We paid 1,250 crowns "
    "and I never want to go back to that tavern because it was so loud that nobody heard the bard."
)
GOOD = "User at the harbour with Maria; can't stand fish, paid 1250 crowns"


@pytest.fixture
def model(settings, redis):
    """A loopback model; `says` sets its answers, the last one stays."""
    queue: list[str] = []
    with serve_openai(chat=lambda _: queue.pop(0) if len(queue) > 1 else queue[0]) as server:
        settings.CHAT_MODEL, settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = "loopback", server.url, "test"
        server.says = lambda *texts: queue.__setitem__(slice(None), texts)
        server.says(json.dumps({"snippet": GOOD}))
        yield server


@pytest.fixture
def say():
    """Stores messages of a player's conversation in a world; their ids."""

    def store(world, *contents: str, user: str = "player-1", **more: str) -> list[int]:
        chat = open_conversation(
            tenant_id=world.tenant_id, world_id=world.pk, user_id=user, external_id=f"chat-{user}", npc_id="mira"
        ).conversation
        drafts = [MessageDraft(**({"role": "user", "content": text, "npc_id": "mira"} | more)) for text in contents]
        stored = store_messages(tenant_id=world.tenant_id, conversation_id=chat.pk, drafts=drafts)
        return [each.message.pk for each in stored]

    return store
