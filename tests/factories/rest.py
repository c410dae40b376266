"""Play by the REST API, as a game server does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.test import Client

JSON = "application/json"


@dataclass
class Api:
    """A game server that calls the REST API with one key. Paths are below /api/v1/, bodies are JSON."""

    key: str | None
    headers: dict[str, str]

    def get(self, path: str, query: Any = None, **headers: str) -> Any:
        """The response to GET."""
        return Client().get(f"/api/v1/{path}", query or {}, headers=self._headers(headers))

    def post(self, path: str, body: Any, **headers: str) -> Any:
        """The response to POST."""
        return Client().post(f"/api/v1/{path}", body, content_type=JSON, headers=self._headers(headers))

    def put(self, path: str, body: Any, **headers: str) -> Any:
        """The response to PUT; a text is sent as it is."""
        return Client().put(f"/api/v1/{path}", body, content_type=JSON, headers=self._headers(headers))

    def delete(self, path: str, **headers: str) -> Any:
        """The response to DELETE."""
        return Client().delete(f"/api/v1/{path}", headers=self._headers(headers))

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in more.items()}}
        if self.key is not None:
            sent.setdefault("Authorization", f"Bearer {self.key}")
        return sent


def start_chat(api: Api, user: str = "player-1", **body: Any) -> int:
    """The id of a player's conversation, opened or found by its `external_id`."""
    opened = api.post("conversations", {"user_id": user, **body})
    assert opened.status_code in (200, 201), opened.content
    return int(opened.json()["id"])


def post_message(api: Api, chat: int, content: str, role: str = "user", **more: Any) -> Any:
    """What is answered to a message."""
    posted = api.post(f"conversations/{chat}/messages", {"role": role, "content": content, **more})
    assert posted.status_code in (200, 201), posted.content
    return posted.json()


def list_known(api: Api, user: str = "player-1") -> dict[tuple[str, str], str]:
    """The values of active facts, by type and key."""
    facts = api.get(f"users/{user}/facts").json()["facts"]
    return {(fact["type"], fact["key"]): fact["value"] for fact in facts}
