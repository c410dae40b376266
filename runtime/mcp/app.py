"""The ASGI application of the MCP endpoint."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any

import anyio
from mcp.server.transport_security import TransportSecuritySettings

from memoryproject.anonymous_rate import find_excess
from memoryproject.client_address import choose_address
from memoryproject.problems import CONTENT_TYPE, Problem
from memoryproject.request_log import RequestRecord, record_request
from runtime.mcp.authentication import Refused, admit, check_host, describe_rate
from runtime.mcp.server import ADMISSION, build_server, worker_threads
from runtime.mcp.threads import run_blocking
from runtime.notebook.mcp import build_notebook_server
from tenancy.models import Scope as KeyScope

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MCP_PATH = "/mcp"
NOTEBOOK_PATH = "/mcp/notebook"
"""An endpoint of its own for keys of the scope `notebook`: what `/mcp` offers is read-only."""
SCOPES = {MCP_PATH: KeyScope.READ, NOTEBOOK_PATH: KeyScope.NOTEBOOK}
MAX_BODY_BYTES = 256 * 1024
"""Room for the longest query, escaped, in the envelope of any protocol version."""


def build_mcp_app() -> McpApp:
    """A new MCP application. Its lifespan must run before the first request, and only once."""
    logging.getLogger("mcp.server.streamable_http").setLevel(logging.WARNING)
    return McpApp()


class McpApp:
    """Lets callers in, writes the access log, and hands what may pass to the SDK's streamable HTTP application.

    It keeps no sessions, so every request stands for itself and any process can answer it. Hosts and origins are
    checked here by the service's own settings; OAuth metadata do not exist, and no 401 points at any.
    """

    def __init__(self) -> None:
        self._limiter = anyio.CapacityLimiter(worker_threads())
        self._inner = {
            MCP_PATH: _build_inner(build_server(self._limiter), MCP_PATH),
            NOTEBOOK_PATH: _build_inner(build_notebook_server(self._limiter), NOTEBOOK_PATH),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection, or live through the lifespan."""
        if scope["type"] == "lifespan":
            notebooks = self._inner[NOTEBOOK_PATH]
            async with notebooks.router.lifespan_context(notebooks):
                await self._inner[MCP_PATH](scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
            return
        headers = read_headers(scope)
        with record_request(
            method=scope["method"], path=scope["path"], offered_id=headers.get("x-request-id")
        ) as record:
            path = scope["path"].rstrip("/")
            record.route = path if path in self._inner else MCP_PATH
            extra = {"X-Request-ID": record.request_id}
            answer = _note_answer(record, extra, send)
            try:
                await self._answer(scope, receive, answer, headers, record, extra)
            except Refused as refusal:
                await _send_problem(_count_refusal(refusal.problem, scope, headers), answer)

    async def _answer(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        headers: dict[str, str],
        record: RequestRecord,
        extra: dict[str, str],
    ) -> None:
        check_host(headers)
        path = scope["path"].rstrip("/")
        if path not in self._inner:
            raise Refused(Problem(404, "not_found", "There is nothing here."))
        admission, rate = await run_blocking(self._limiter, lambda: admit(headers, record, scope=SCOPES[path]))
        if rate is not None:
            extra.update(describe_rate(rate))
        if scope["method"] != "POST":
            detail = "This server keeps no sessions and sends nothing unasked: use POST."
            raise Refused(Problem(405, "method_not_allowed", detail, headers={"Allow": "POST"}))
        inner = {**scope, "path": path, "raw_path": path.encode(), ADMISSION: admission}
        await self._inner[path](inner, receive, send)


def _build_inner(server: Any, path: str) -> Any:
    return server.streamable_http_app(
        streamable_http_path=path,
        stateless_http=True,
        json_response=True,
        max_request_body_size=MAX_BODY_BYTES,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )


def _count_refusal(problem: Problem, scope: Scope, headers: dict[str, str]) -> Problem:
    """The problem, or a 429 in place of one refused key too many."""
    if problem.status != HTTPStatus.UNAUTHORIZED:
        return problem
    peer, _ = scope.get("client") or ("", 0)
    return find_excess(choose_address(peer, headers.get("x-forwarded-for", ""))) or problem


def read_headers(scope: Scope) -> dict[str, str]:
    """The request's headers by lower-case name; of a repeated one the last counts."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope.get("headers", [])}


def _note_answer(record: RequestRecord, extra: dict[str, str], send: Send) -> Send:
    """Notes the status for the access log, and adds our headers to the answer."""

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            record.status = int(message["status"])
            added = [(name.lower().encode(), value.encode()) for name, value in extra.items()]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return answer


async def _send_problem(problem: Problem, send: Send) -> None:
    body = json.dumps(problem.to_document(), ensure_ascii=False).encode()
    headers = {"content-type": CONTENT_TYPE, "content-length": str(len(body)), **problem.headers}
    encoded = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
