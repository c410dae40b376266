"""A player who talks to an assistant through REST."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import pytest

from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_tenant
from tests.api.conftest import make_api, world  # noqa: F401 - the fixtures of the REST API
from tests.factories.rest import Api, list_known
from tests.golden.second_stage import model, rest, user  # noqa: F401 - the fixtures of the second stage


@dataclass
class Talk:
    """One conversation of one player."""

    api: Api
    path: str
    user: str
    committing: Callable[..., AbstractContextManager[object]]

    def say(self, content: str, *, role: str = "user", **more: Any) -> dict[str, Any]:
        """Post a message; what REST answers."""
        with self.committing(execute=True):
            answer = self.api.post(f"{self.path}/messages", {"role": role, "content": content, **more})
        assert answer.status_code in (200, 201), answer.content
        return answer.json()

    def answer(self, content: str) -> int:
        """The assistant speaks; the message's id."""
        return self.say(content, role="assistant")["message_id"]

    def facts(self, **query: str) -> list[dict[str, Any]]:
        """What is known of the player."""
        return self.api.get(f"users/{self.user}/facts", query).json()["facts"]

    def known(self) -> dict[tuple[str, str], str]:
        """What is known, by type and key."""
        return list_known(self.api, self.user)

    def fact(self, fact_id: int) -> dict[str, Any]:
        """One fact with evidence and history."""
        return self.api.get(f"users/{self.user}/facts/{fact_id}").json()


@pytest.fixture
def api(db, redis):
    studio = ensure_tenant(slug="studio", name="Studio")
    issued = issue_api_key(tenant_id=studio.pk, name="game", scopes=("engine", "read"))
    return Api(issued.text, {})


@pytest.fixture
def talk(api, django_capture_on_commit_callbacks):
    opened = api.post("conversations", {"user_id": "player-1"}).json()
    return Talk(api, f"conversations/{opened['id']}", "player-1", django_capture_on_commit_callbacks)
