"""Server-sent events from an iterator that reads the database and waits for a model.

Under ASGI every step runs on a worker thread and gives its database connection back at its end, so that a slow reader
holds none.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import structlog
from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import StreamingHttpResponse
from rest_framework.request import Request

logger = structlog.get_logger("memory37.streaming")

CONTENT_TYPE = "text/event-stream"
STREAMS_AT_ONCE = 64
"""Of one web process; further ones wait for a thread."""
_THREADS = ThreadPoolExecutor(STREAMS_AT_ONCE, thread_name_prefix="stream")
_END: Final = object()


def render_event(name: str, data: dict[str, Any]) -> bytes:
    """One event with a JSON document."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def stream_events(request: Request, events: Iterator[bytes]) -> StreamingHttpResponse:
    """The response that sends the events as they come. The iterator is closed when the reader goes away."""
    content = _iterate(events) if hasattr(request, "scope") else events
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(content, content_type=f"{CONTENT_TYPE}; charset=utf-8", headers=headers)


async def _iterate(events: Iterator[bytes]) -> AsyncIterator[bytes]:
    step = sync_to_async(_step, thread_sensitive=False, executor=_THREADS)
    try:
        while (event := await step(events)) is not _END:
            yield event
    finally:
        _THREADS.submit(_close, events)


def _step(events: Iterator[bytes]) -> Any:
    try:
        return next(events, _END)
    finally:
        close_old_connections()


def _close(events: Iterator[bytes]) -> None:
    close = getattr(events, "close", None)
    if close is not None:
        close()
    close_old_connections()
