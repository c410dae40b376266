"""Puts the ASGI applications of the web process together behind one port."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from asgiref.sync import sync_to_async

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Any, Any, Any], Awaitable[None]]

DRAIN_MAX_BYTES = 64 * 1024 * 1024
DRAIN_MAX_SECONDS = 10.0
"""What is refused is read to its end first, within these bounds: who is cut off while sending sees a reset."""
MCP_PATHS = ("/mcp", "/.well-known/oauth-protected-resource")


class BodyTooLarge(Exception):
    """More bytes came than the service takes."""


class AsgiRouter:
    """One ASGI application: MCP paths and the lifespan go to the MCP application, all else to Django.

    Without an MCP application Django gets every path. ``close_pools`` runs when the process ends.
    """

    def __init__(
        self,
        *,
        django: AsgiApp,
        mcp: AsgiApp | None,
        max_body_bytes: int,
        close_pools: Callable[[], None],
    ) -> None:
        self._django = django
        self._mcp = mcp
        self._max_body_bytes = max_body_bytes
        self._close_pools = close_pools

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand one connection to the application that it is for."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        elif self._mcp is not None and is_mcp_path(scope.get("path", "")):
            await self._answer(self._mcp, scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(self._django, scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _answer(self, app: AsgiApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers 413 to a body over the limit, whether its length is told or only turns out."""
        if _read_content_length(scope) > self._max_body_bytes:
            await _refuse_body(send, is_read=await _drain(scope, receive))
            return
        received = 0
        is_started = is_ended = False

        async def count() -> Message:
            nonlocal received, is_ended
            message = await receive()
            received += len(message.get("body", b""))
            is_ended = not message.get("more_body", False)
            if received > self._max_body_bytes:
                raise BodyTooLarge
            return message

        async def note_start(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await app(scope, count, note_start)
        except BodyTooLarge:
            if not is_started:
                await _refuse_body(send, is_read=is_ended or await _drain(scope, receive))

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def close_first(message: Message) -> None:
            if message["type"] == "lifespan.shutdown.complete":
                await sync_to_async(self._close_pools, thread_sensitive=False)()
            await send(message)

        if self._mcp is not None:
            await self._mcp(scope, receive, close_first)
            return
        while True:
            message = await receive()
            await close_first({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return


def is_mcp_path(path: str) -> bool:
    """Whether the MCP application answers this path."""
    return any(path == root or path.startswith(f"{root}/") for root in MCP_PATHS)


def _read_content_length(scope: Scope) -> int:
    for name, value in scope.get("headers", []):
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _drain(scope: Scope, receive: Receive) -> bool:
    """Whether the body was read to its end; one that its sender holds back, or that is beyond bounds, is not read."""
    waits = any(name == b"expect" and value.lower() == b"100-continue" for name, value in scope.get("headers", []))
    if waits or _read_content_length(scope) > DRAIN_MAX_BYTES:
        return False
    read = 0
    try:
        async with asyncio.timeout(DRAIN_MAX_SECONDS):
            while read <= DRAIN_MAX_BYTES:
                message = await receive()
                read += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return bool(message["type"] != "http.disconnect")
    except TimeoutError:
        return False
    return False


async def _refuse_body(send: Send, *, is_read: bool) -> None:
    document = {
        "type": "/problems/body_too_large",
        "title": "Content Too Large",
        "status": 413,
        "detail": "The body is larger than this service takes.",
        "code": "body_too_large",
    }
    headers = [(b"content-type", b"application/problem+json")]
    if not is_read:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(document).encode()})
