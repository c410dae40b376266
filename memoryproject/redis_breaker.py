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
CALLS_OF_A_COMMAND = 2
"""redis-py calls to connect, which asks nothing of a server where the connection stands, and then to send."""

T = TypeVar("T")


class Breaker(Retry):
    """How redis-py makes each call: once. While open, calls fail at once as if the server were gone.

    Only time-outs open it: a server that refuses costs no wait. After the pause one thread tries while the others are
    still refused; once a command of its was answered the breaker closes, and a time-out begins another pause.
    Connections share the breaker that they are made with. It is no `CircuitBreaker`: redis-py calls twice a command,
    so that a trial is one thread's, not one call.
    """

    def __init__(self, *, pause_seconds: float = PAUSE_SECONDS) -> None:
        super().__init__(NoBackoff(), 0)
        self._pause_seconds = pause_seconds
        self._lock = threading.Lock()
        self._open_until: float | None = None
        self._trier: int | None = None
        self._answers = 0

    def __deepcopy__(self, memo: dict[int, Any]) -> Breaker:
        return self

    def call_with_retry(self, do: Callable[[], T], fail: Callable[..., Any], *args: Any, **more: Any) -> T:
        """What `do` answers. Raises redis.ConnectionError while open."""
        if not self._may_pass():
            raise redis.ConnectionError("Redis did not answer a moment ago and is left alone.")
        try:
            answer = super().call_with_retry(do, fail, *args, **more)
        except redis.TimeoutError:
            self._set(time.monotonic() + self._pause_seconds)
            raise
        except BaseException:
            self._set(None)
            raise
        self._note_answer()
        return answer

    def _may_pass(self) -> bool:
        if self._open_until is None:
            return True
        me, now = threading.get_ident(), time.monotonic()
        with self._lock:
            if self._open_until is None or self._trier == me:
                return True
            if now < self._open_until:
                return False
            self._open_until, self._trier, self._answers = now + self._pause_seconds, me, 0
            return True

    def _note_answer(self) -> None:
        """Only who tries closes the breaker: what others began before it opened says nothing of the server now."""
        if self._trier is None:
            return
        with self._lock:
            if self._trier != threading.get_ident():
                return
            self._answers += 1
            if self._answers >= CALLS_OF_A_COMMAND:
                self._open_until = self._trier = None

    def _set(self, open_until: float | None) -> None:
        with self._lock:
            self._open_until, self._trier = open_until, None
