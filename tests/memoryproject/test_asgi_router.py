from __future__ import annotations

import asyncio
import json

import pytest

from memoryproject.asgi_router import AsgiRouter, is_mcp_path


class Recorder:
    """An ASGI application that answers with its name and the size of what it read."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            while True:
                message = await receive()
                await send({"type": f"{message['type']}.complete", "by": self.name})
                if message["type"] == "lifespan.shutdown":
                    return
        size = 0
        more = True
        while more:
            message = await receive()
            size += len(message.get("body", b""))
            more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": f"{self.name}:{size}".encode()})


def build_doors(*, mcp: bool = True, closed: list | None = None) -> AsgiRouter:
    closed = closed if closed is not None else []
    return AsgiRouter(
        django=Recorder("django"),
        mcp=Recorder("mcp") if mcp else None,
        max_body_bytes=10,
        close_pools=lambda: closed.append("closed"),
    )


def ask(router: AsgiRouter, path: str, chunks: list[bytes], headers: list | None = None) -> tuple[int, bytes]:
    messages = [
        {"type": "http.request", "body": chunk, "more_body": place < len(chunks) - 1}
        for place, chunk in enumerate(chunks)
    ]
    sent: list[dict] = []

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    asyncio.run(router({"type": "http", "path": path, "headers": headers or []}, receive, send))
    return sent[0]["status"], sent[1]["body"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/mcp", "mcp"),
        ("/mcp/", "mcp"),
        ("/.well-known/oauth-protected-resource/mcp", "mcp"),
        ("/mcpx", "django"),
        ("/api/v1/status", "django"),
        ("/", "django"),
    ],
)
def test_each_path_reaches_its_application(path, name):
    assert ask(build_doors(), path, [b"abc"]) == (200, f"{name}:3".encode())


def test_django_gets_every_path_without_an_mcp_application():
    assert is_mcp_path("/mcp")
    assert ask(build_doors(mcp=False), "/mcp", [b""]) == (200, b"django:0")


def test_a_body_at_the_limit_passes_and_one_byte_more_does_not():
    assert ask(build_doors(), "/x", [b"12345", b"67890"]) == (200, b"django:10")
    status, body = ask(build_doors(), "/x", [b"12345", b"678901"])
    assert (status, json.loads(body)["code"]) == (413, "body_too_large")


@pytest.mark.parametrize("path", ["/x", "/mcp"])
def test_a_told_length_over_the_limit_is_refused_once_it_is_read(path):
    status, body = ask(build_doors(), path, [b"123456", b"78901"], headers=[(b"content-length", b"11")])
    assert (status, json.loads(body)["status"]) == (413, 413)


def test_a_body_that_its_sender_holds_back_is_refused_unread():
    headers = [(b"content-length", b"11"), (b"expect", b"100-continue")]
    assert ask(build_doors(), "/x", [], headers=headers)[0] == 413


@pytest.mark.parametrize("mcp", [True, False])
def test_pools_are_closed_before_the_process_says_that_it_is_done(mcp):
    closed: list[str] = []
    sent: list[str] = []
    messages = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message["type"])
        if message["type"] == "lifespan.shutdown.complete":
            assert closed == ["closed"]

    asyncio.run(build_doors(mcp=mcp, closed=closed)({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
