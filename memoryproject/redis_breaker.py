"""One wait for a Redis that hangs, not one for each call: after a time-out it is left alone for some seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

PAUSE_SECONDS = 3.0

T = TypeVar("T")


class Breaker(Retry):
    """How redis-py makes each call: once. While open, calls fail at once as if the server were gone.

    Only time-outs open it: a server that refuses costs no wait. After the pause one call tries while the others are
    still refused, and closes the breaker or opens it again. Connections share the breaker that they are made with.
    """

    def __init__(self, *, pause_seconds: float = PAUSE_SECONDS) -> None:
        super().__init__(NoBackoff(), 0)
        self._pause_seconds = pause_seconds
        self._lock = threading.Lock()
        self._open_until: float | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Breaker:
        return self

    def call_with_retry(self, do: Callable[[], T], fail: Callable[..., Any], *args: Any, **more: Any) -> T:
        """What `do` answers. Raises redis.ConnectionError while open."""
        if not self._may_pass():
            raise redis.ConnectionError("Redis did not answer a moment ago and is left alone.")
        try:
            answer = super().call_with_retry(do, fail, *args, **more)
        except redis.TimeoutError:
            self._open_until = time.monotonic() + self._pause_seconds
            raise
        except BaseException:
            self._open_until = None
            raise
        self._open_until = None
        return answer

    def _may_pass(self) -> bool:
        if self._open_until is None:
            return True
        with self._lock:
            now = time.monotonic()
            if self._open_until is None or now < self._open_until:
                return self._open_until is None
            self._open_until = now + self._pause_seconds
            return True
