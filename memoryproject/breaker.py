"""A circuit breaker: after failures in a row a service is left alone for a while, so that nobody waits for it."""

from __future__ import annotations

import threading
import time

MAX_FAILURES = 3
PAUSE_SECONDS = 30.0


class CircuitBreaker:
    """Opens after `max_failures` in a row; after `pause_seconds` one caller at a time may try again."""

    def __init__(self, *, max_failures: int = MAX_FAILURES, pause_seconds: float = PAUSE_SECONDS) -> None:
        self._max_failures = max_failures
        self._pause_seconds = pause_seconds
        self._lock = threading.Lock()
        self._failures = 0
        self._open_until = 0.0

    def may_pass(self) -> bool:
        """Whether the service may be asked. Of those who ask after the pause, one a pause may."""
        with self._lock:
            if self._failures < self._max_failures:
                return True
            now = time.monotonic()
            if now < self._open_until:
                return False
            self._open_until = now + self._pause_seconds
            return True

    def note_success(self) -> None:
        """It answered: closed."""
        with self._lock:
            self._failures = 0

    def note_failure(self) -> None:
        """It failed once more."""
        with self._lock:
            self._failures += 1
            self._open_until = time.monotonic() + self._pause_seconds
