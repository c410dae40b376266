from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_world
from tests.declared_problems import UNDECLARED
from tests.factories.tenants import write_npcs_at_once


@pytest.fixture(autouse=True)
def _declared_problems() -> Iterator[None]:
    """An answer with a problem that its operation does not declare fails the test."""
    UNDECLARED.clear()
    yield
    assert sorted(set(UNDECLARED)) == []


@dataclass
class Api:
    """A game server that calls the REST API with one key."""

    key: str | None
    headers: dict[str, str]

    def get(self, path: str, query: Any = None, **headers: str):
        """GET below /api/v1/."""
        return Client().get(f"/api/v1/{path}", query or {}, headers=self._headers(headers))

    def post(self, path: str, body: Any, **headers: str):
        """POST JSON below /api/v1/."""
        return Client().post(f"/api/v1/{path}", body, content_type="application/json", headers=self._headers(headers))

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in more.items()}}
        if self.key is not None:
            sent.setdefault("Authorization", f"Bearer {self.key}")
        return sent


@pytest.fixture
def world(tenant):
    world = ensure_world(tenant_id=tenant.pk, slug="ashfall", name="Ashfall", languages=["en", "ru"])
    return write_npcs_at_once(world)


@pytest.fixture
def make_api(tenant, redis):
    """Makes a client with a new key of the tenant (or of another)."""

    def make(*scopes: str, of=None, headers: dict[str, str] | None = None, **options: Any) -> Api:
        issued = issue_api_key(tenant_id=(of or tenant).pk, name="game", scopes=scopes or ("read",), **options)
        return Api(issued.text, headers or {})

    return make


@pytest.fixture
def engine(make_api, world):
    """A client that plays in the world."""
    return make_api("engine", "read")


@pytest.fixture
def api(make_api, world):
    """A client that may read the world."""
    return make_api("read")


def check_problem(response, status: int, code: str) -> dict[str, Any]:
    """Asserts that the response is the problem document that was expected, and returns it."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    document = response.json()
    assert set(document) >= {"type", "title", "status", "detail", "code", "request_id"}
    assert document["status"] == status
    assert document["code"] == code, document
    assert document["detail"]
    assert document["request_id"] == response["X-Request-ID"]
    return document


@pytest.fixture
def problem():
    return check_problem
