"""Redis, for a talk that must go on without it: after a failure it is left alone for some seconds.

What could not be appended meanwhile makes a list incomplete: such lists are deleted before Redis is used again, and
come back whole from RAW.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

import redis
import structlog

from memoryproject.outages import REDIS_UNAVAILABLE, classify_outage
from memoryproject.redis import get_redis

logger = structlog.get_logger("memory37.session_memory")

PAUSE_SECONDS = 5.0
MAX_MISSED_WRITES = 10_000

T = TypeVar("T")


class Circuit:
    """Runs calls on Redis; open, it answers None at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._closed_from = 0.0
        self._missed: set[str] = set()

    def call(self, use: Callable[[redis.Redis], T], *, writes: str | None = None) -> T | None:
        """What `use` answers, or None while Redis does not. `writes` names the list that is then incomplete."""
        if time.monotonic() >= self._closed_from:
            try:
                client = get_redis()
                self._delete_missed(client)
                return use(client)
            except Exception as error:
                if classify_outage(error) is not REDIS_UNAVAILABLE:
                    raise
                logger.warning("session_memory_unavailable", error=type(error).__name__)
                self._closed_from = time.monotonic() + PAUSE_SECONDS
        if writes is not None:
            self._note_missed(writes)
        return None

    def reset(self) -> None:
        """Forget failures."""
        self._closed_from = 0.0
        self._missed = set()

    def _note_missed(self, key: str) -> None:
        with self._lock:
            if len(self._missed) < MAX_MISSED_WRITES:
                self._missed.add(key)

    def _delete_missed(self, client: redis.Redis) -> None:
        if not self._missed:
            return
        with self._lock:
            keys = sorted(self._missed)
        client.delete(*keys)
        with self._lock:
            self._missed -= set(keys)


CIRCUIT = Circuit()
"""Of this process."""
