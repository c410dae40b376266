"""httpx that calls the application in this process: what a client sends is handled without a server or a socket."""

from __future__ import annotations

import os

import httpx
from django.test import Client


class DjangoTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Hands each request to Django's test client, and counts them."""

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The application's answer."""
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
        """The same. The test's connection belongs to its thread, so the loop waits meanwhile, and Django is told so."""
        await request.aread()
        before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        try:
            return self.handle_request(request)
        finally:
            if before is None:
                del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
            else:
                os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before
