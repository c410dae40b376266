"""httpx that calls the application in this process: what a client sends is handled without a server or a socket."""

from __future__ import annotations

import asyncio
import threading

import httpx
from django.db import connections
from django.test import Client


class DjangoTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Hands each request to Django's test client, one after the other, and counts them.

    Threads, of which LangGraph starts some, are given the connection of the test: another would not see its rows.
    """

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []
        self._lock = threading.RLock()
        self._connection = connections["default"]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The application's answer."""
        with self._lock:
            own = connections["default"]
            if own is self._connection:
                return self._answer(request)
            self._connection.inc_thread_sharing()
            connections["default"] = self._connection
            try:
                return self._answer(request)
            finally:
                connections["default"] = own
                self._connection.dec_thread_sharing()

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = Client().generic(
            request.method,
            request.url.raw_path.decode().partition("?")[0],
            request.read(),
            content_type=request.headers.get("Content-Type", ""),
            headers={name: value for name, value in request.headers.items() if name not in ("host", "content-length")},
            query_params=dict(request.url.params),
        )
        return httpx.Response(answer.status_code, headers=dict(answer.items()), content=answer.content)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The same, as if no loop ran: within one, Django would open a connection that does not see the test's rows."""
        await request.aread()
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        try:
            return self.handle_request(request)
        finally:
            asyncio._set_running_loop(loop)
