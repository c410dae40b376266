"""The REST interface of Memory37, sync and async, as the store and the checkpointer use it."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from memory37_langgraph.errors import Memory37Error, Memory37Unavailable

DEFAULT_TIMEOUT_SECONDS = 10.0
MAX_ATTEMPTS = 3
MAX_WAIT_SECONDS = 10.0
"""However long the service asks to wait, an agent waits no longer before it is told."""
RETRIED_STATUSES = frozenset({429, 502, 503})
"""Too many requests, or not now: the same call may succeed a moment later."""


class Memory37Client:
    """Calls below `/api/v1/` with one API key.

    Args:
        base_url: Where the service is, such as `https://memory.example.com`.
        api_key: A key with the scope `notebook`.
        world: The world (`X-Site-ID`) whose rows are meant; left out, those of no world.
        agent: The agent's name (`X-Agent-ID`).
        timeout: Seconds for one call.
        transport: Takes the place of the network for sync calls; for tests.
        async_transport: The same for async calls.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        world: str | None = None,
        agent: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        transport: httpx.BaseTransport | None = None,
        async_transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {api_key}", "User-Agent": "memory37-langgraph"}
        if world is not None:
            headers["X-Site-ID"] = world
        if agent is not None:
            headers["X-Agent-ID"] = agent
        self._options: dict[str, Any] = {
            "base_url": f"{base_url.rstrip('/')}/api/v1/",
            "headers": headers,
            "timeout": timeout,
        }
        self._transport = transport
        self._async_transport = async_transport
        self._client: httpx.Client | None = None
        self._async_client: httpx.AsyncClient | None = None
        self._async_loop: asyncio.AbstractEventLoop | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._options['base_url']!r})"

    def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        is_idempotent: bool | None = None,
    ) -> Any:
        """The parsed JSON of the answer, None for an empty one.

        Calls that change nothing when repeated (`is_idempotent`; by default all but POST and PATCH) are sent up to
        three times while the service is not there or is busy. Raises Memory37Error, Memory37Unavailable.
        """
        attempts = _count_attempts(method, is_idempotent)
        if self._client is None:
            self._client = httpx.Client(transport=self._transport, **self._options)
        for attempt in range(1, attempts + 1):
            outcome = self._send(method, path, json, params, headers)
            wait = _choose_wait(outcome, attempt, attempts)
            if wait is None:
                return _read(outcome)
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def arequest(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        is_idempotent: bool | None = None,
    ) -> Any:
        """The async twin of `request`."""
        attempts = _count_attempts(method, is_idempotent)
        for attempt in range(1, attempts + 1):
            outcome = await self._asend(method, path, json, params, headers)
            wait = _choose_wait(outcome, attempt, attempts)
            if wait is None:
                return _read(outcome)
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Close the connections of sync calls."""
        if self._client is not None:
            self._client.close()
            self._client = None

    async def aclose(self) -> None:
        """Close the connections of async calls, and those of sync ones."""
        client, self._async_client = self._async_client, None
        if client is not None and self._async_loop is asyncio.get_running_loop():
            await client.aclose()
        self.close()

    def __enter__(self) -> Self:
        """The client, closed at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        self.close()

    async def __aenter__(self) -> Self:
        """The client, closed at the end of the block."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.aclose()

    def _send(
        self, method: str, path: str, body: Any, params: Mapping[str, Any] | None, headers: Mapping[str, str] | None
    ) -> httpx.Response | httpx.TransportError:
        assert self._client is not None  # noqa: S101 - made by `request`
        try:
            return self._client.request(method, path, json=body, params=params, headers=headers)
        except httpx.TransportError as error:
            return error

    async def _asend(
        self, method: str, path: str, body: Any, params: Mapping[str, Any] | None, headers: Mapping[str, str] | None
    ) -> httpx.Response | httpx.TransportError:
        loop = asyncio.get_running_loop()
        if self._async_client is None or self._async_loop is not loop:
            # Connections belong to the loop that opened them: another loop gets its own.
            self._async_client = httpx.AsyncClient(transport=self._async_transport, **self._options)
            self._async_loop = loop
        try:
            return await self._async_client.request(method, path, json=body, params=params, headers=headers)
        except httpx.TransportError as error:
            return error


def _count_attempts(method: str, is_idempotent: bool | None) -> int:
    if is_idempotent is None:
        is_idempotent = method.upper() not in ("POST", "PATCH")
    return MAX_ATTEMPTS if is_idempotent else 1


def _choose_wait(outcome: httpx.Response | httpx.TransportError, attempt: int, attempts: int) -> float | None:
    """Seconds until the next attempt, or None where this outcome is the last."""
    if attempt >= attempts:
        return None
    backoff = 0.1 * 2.0**attempt * (0.5 + random.random())  # noqa: S311 - jitter
    if isinstance(outcome, httpx.TransportError):
        return backoff
    if outcome.status_code not in RETRIED_STATUSES:
        return None
    asked = outcome.headers.get("Retry-After", "")
    return min(float(asked) if asked.isdigit() else backoff, MAX_WAIT_SECONDS)


def _read(outcome: httpx.Response | httpx.TransportError) -> Any:
    if isinstance(outcome, httpx.TransportError):
        raise Memory37Unavailable(0, "no_answer", f"{type(outcome).__name__}: {outcome}") from outcome
    if outcome.is_success:
        return outcome.json() if outcome.content else None
    try:
        document = outcome.json()
    except ValueError:
        document = {}
    if not isinstance(document, dict):
        document = {}
    kind = Memory37Unavailable if outcome.status_code in RETRIED_STATUSES else Memory37Error
    raise kind(
        outcome.status_code,
        str(document.get("code", f"http_{outcome.status_code}")),
        str(document.get("detail", outcome.reason_phrase)),
        document,
    )
