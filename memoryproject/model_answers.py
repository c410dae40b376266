"""What an endpoint of models may send and how long it may take in all.

The client's own time-out is for each read: an answer that trickles, or never ends, would outlast it without limit.
"""

from __future__ import annotations

import functools
import ssl
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx2

from memoryproject.lazy_modules import LazyModule

if TYPE_CHECKING:
    import openai
else:
    openai = LazyModule("openai")

MAX_ANSWER_BYTES = 8 * 1024 * 1024
STREAM_TIMES = 10
"""So many times the time-out may a stream take in all; between two events it has the time-out itself."""
UNUSABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What the client and whoever reads on raise for an answer that is not in the form that was agreed."""
_EVENT = b"data:"


class BoundedAnswer(httpx2.SyncByteStream):
    """The bytes of an answer, as long as they keep to its bounds. Iterating raises ReadTimeout and ReadError."""

    def __init__(
        self, stream: httpx2.SyncByteStream, *, timeout_seconds: float, max_bytes: int, is_event_stream: bool
    ) -> None:
        self._stream = stream
        self._timeout_seconds = timeout_seconds
        self._max_bytes = max_bytes
        self._is_event_stream = is_event_stream

    def __iter__(self) -> Iterator[bytes]:
        start = last_event = time.monotonic()
        total_seconds = self._timeout_seconds * (STREAM_TIMES if self._is_event_stream else 1)
        received = 0
        for chunk in self._stream:
            now = time.monotonic()
            received += len(chunk)
            if received > self._max_bytes:
                raise httpx2.ReadError(f"The answer has more than {self._max_bytes} bytes.")
            if self._is_event_stream and _EVENT in chunk:
                last_event = now
            if now - start > total_seconds or now - last_event > self._timeout_seconds:
                raise httpx2.ReadTimeout("The answer does not come to an end.")
            yield chunk

    def close(self) -> None:
        """Ends the request."""
        self._stream.close()


def make_client(*, base_url: str | None, api_key: str, max_bytes: int | None = None) -> openai.OpenAI:
    """A client whose answers are bounded: in time, and to `MAX_ANSWER_BYTES` unless told otherwise.

    It never tries again by itself.
    """
    bound = functools.partial(_bound, max_bytes=max_bytes)
    http_client = openai.DefaultHttpxClient(event_hooks={"response": [bound]}, verify=_make_tls_context())
    return openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0, http_client=http_client)


@functools.cache
def _make_tls_context() -> ssl.SSLContext:
    """One for all clients: to read the machine's certificates takes 20 ms."""
    return httpx2.create_ssl_context()


def _bound(response: httpx2.Response, *, max_bytes: int | None) -> None:
    timeout_seconds = response.request.extensions["timeout"]["read"]
    if timeout_seconds is None or not isinstance(response.stream, httpx2.SyncByteStream):
        return
    is_event_stream = response.headers.get("Content-Type", "").startswith("text/event-stream")
    response.stream = BoundedAnswer(
        response.stream,
        timeout_seconds=timeout_seconds,
        max_bytes=MAX_ANSWER_BYTES if max_bytes is None else max_bytes,
        is_event_stream=is_event_stream,
    )
