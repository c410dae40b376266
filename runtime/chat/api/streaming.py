"""Server-sent events from an iterator that reads the database and waits for a model.

Under ASGI every step runs on a worker thread and gives its database connection back at its end, so that a slow reader
holds none.
"""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Final, cast

import structlog
from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import StreamingHttpResponse
from rest_framework.request import Request

logger = structlog.get_logger("memory37.streaming")

CONTENT_TYPE = "text/event-stream"
MAX_CONCURRENT_STREAMS = 64
"""Of one web process; further ones wait for a thread."""
_THREADS = ThreadPoolExecutor(MAX_CONCURRENT_STREAMS, thread_name_prefix="stream")
_END: Final = object()


def render_event(name: str, data: dict[str, Any]) -> bytes:
    """One event with a JSON document."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def stream_events(request: Request, events: Iterator[bytes]) -> StreamingHttpResponse:
    """The response that sends the events as they come. The iterator is closed when the reader goes away."""
    steps = _Steps(events)
    content = _iterate(steps) if hasattr(request, "scope") else steps
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(content, content_type=f"{CONTENT_TYPE}; charset=utf-8", headers=headers)


class _Steps:
    """An iterator that keeps to the context of its request: what is logged and told within it names the request.

    It may be closed while a step is under way, by another thread: it is, as soon as the step is done.
    """

    def __init__(self, events: Iterator[bytes]) -> None:
        self._events = events
        self._context = copy_context()
        self._lock = threading.Lock()
        self._is_wanted = True

    def __iter__(self) -> _Steps:
        return self

    def __next__(self) -> bytes:
        event = self.step()
        if event is _END:
            raise StopIteration
        return cast("bytes", event)

    def step(self) -> Any:
        """The next event, or `_END`."""
        try:
            with self._lock:
                return self._context.run(next, self._events, _END)
        finally:
            if not self._is_wanted:
                self.close()

    def close(self) -> None:
        """No further event is wanted."""
        self._is_wanted = False
        if not self._lock.acquire(blocking=False):
            return
        try:
            close = getattr(self._events, "close", None)
            if close is not None:
                self._context.run(close)
        finally:
            self._lock.release()


async def _iterate(steps: _Steps) -> AsyncIterator[bytes]:
    step = sync_to_async(_run, thread_sensitive=False, executor=_THREADS)
    try:
        while (event := await step(steps.step)) is not _END:
            yield event
    finally:
        _THREADS.submit(_run, steps.close)


def _run(call: Callable[[], Any]) -> Any:
    try:
        return call()
    finally:
        close_old_connections()
