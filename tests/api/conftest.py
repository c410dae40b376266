from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tenancy.actions.keys import issue_api_key
from tenancy.actions.worlds import ensure_world
from tests.declared_problems import UNDECLARED
from tests.factories.canon import LORE, publish
from tests.factories.rest import Api
from tests.factories.tenants import write_npcs_at_once


@pytest.fixture(autouse=True)
def _declared_problems() -> Iterator[None]:
    """An answer with a problem that its operation does not declare fails the test."""
    UNDECLARED.clear()
    yield
    assert sorted(set(UNDECLARED)) == []


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
def canon(world):
    """The world with a few articles of lore."""
    publish(world, *LORE)
    return world


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
