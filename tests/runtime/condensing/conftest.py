from __future__ import annotations

import json

import pytest

from tests.factories.conversations import open_chat, say
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
def add_lines():
    """Stores messages of a player's conversation with Mira in a world; their ids."""

    def store(world, *contents: str, user: str = "player-1", **more: str) -> list[int]:
        chat = open_chat(world.tenant, user, world=world, external_id=f"chat-{user}", npc_id="mira")
        return [each.pk for each in say(chat, *contents, **({"npc_id": "mira"} | more))]

    return store
