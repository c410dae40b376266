"""Django under ASGI with one thread a request."""

from __future__ import annotations

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class ThreadedHandler(ASGIHandler):
    """Middleware and view run one after the other on the thread of their request.

    No view here is a coroutine. Django would go back to the event loop between middlewares, some fifteen changes of
    thread a request, which take more of a processor than a small answer does.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """The chain for a thread, though ASGI asks for one of coroutines."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """The answer of the chain."""
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)
