from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import httpx2
import pytest
import uvicorn

from memoryproject.asgi_router import AsgiRouter
from runtime.mcp.app import build_mcp_app
from tenancy.actions.keys import issue_api_key
from tests.factories.canon import make_article, publish
from tests.factories.tenants import make_world


async def refuse_django(scope, receive, send):
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"django"})


@contextlib.contextmanager
def serve(app, **options) -> Iterator[str]:
    """The application behind a real uvicorn on a loopback port of its own; `options` are uvicorn's."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on", **options))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + 10
        while not server.started:
            assert thread.is_alive(), "the server died"
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


@pytest.fixture
def url(transactional_db):
    """A running service whose MCP paths are ours."""
    router = AsgiRouter(
        django=refuse_django, mcp=build_mcp_app(), max_body_bytes=2 * 1024 * 1024, close_pools=lambda: None
    )
    with serve(router) as address:
        yield address


@dataclass
class Rpc:
    """A raw JSON-RPC client of the 2025 protocol, without the SDK."""

    url: str
    key: str

    def post(self, body, **headers):
        given = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "MCP-Protocol-Version": "2025-06-18",
            "Authorization": f"Bearer {self.key}",
            **headers,
        }
        sent = {name: value for name, value in given.items() if value is not None}
        return httpx2.post(f"{self.url}/mcp", content=json.dumps(body), headers=sent, timeout=30, verify=False)

    def ask(self, method, params=None, **headers):
        response = self.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}, **headers)
        assert response.status_code == 200, response.text
        return response.json()

    def call(self, tool, headers=None, **arguments):
        """The tool's result object."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments}, **(headers or {}))
        return answer["result"]


def read_problem(result):
    """The problem document of a failed call: it comes as text."""
    assert result["isError"], result
    return json.loads(result["content"][0]["text"])


@pytest.fixture
def canon(transactional_db):
    """A world with a bridge, a keeper, a rule and a secret, and a key to read them."""
    world = make_world("ashfall", tenant="studio")
    publish(
        world,
        make_article(
            "moon-bridge",
            "Nine arches of grey stone carry the old road over the river.",
            title="The Moon Bridge",
            type="place",
            tags=["bridge"],
            fields={"arches": 9, "keeper": "[[li-shen]]"},
            field_labels={"arches": ["arches"], "keeper": ["keeper"]},
        ),
        make_article("li-shen", "He keeps the bridge.", title="Li Shen", type="character"),
        make_article(
            "hidden-door",
            "Under the fifth arch a door opens at low tide.",
            title="The Hidden Door",
            audience=["npc:li-shen"],
            fields={"steps": 61},
            field_labels={"steps": ["steps"]},
        ),
    )
    publish(
        world,
        make_article("clasped", "Something holds you.", title="Clasped", type="rule", rule_id="COND-01"),
        domain="srd",
    )
    key = issue_api_key(tenant_id=world.tenant_id, name="test", scopes=["read"]).text
    return SimpleNamespace(world=world, key=key)


@pytest.fixture
def rpc(url, canon):
    return Rpc(url, canon.key)
