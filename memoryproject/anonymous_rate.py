"""How often an address may call without saying who it is.

Counted in each process by itself: a flood then costs no round trip, and probes answer while Redis does not.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from django.conf import settings

from memoryproject.problems import Problem

WINDOW_SECONDS = 60
MAX_ADDRESSES = 50_000
"""About 10 MB; beyond it, further addresses of the minute share one count."""


class AddressRate:
    """Calls by address in the present minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._window = -1
        self._counts: dict[str, int] = {}

    def count(self, address: str, limit: int) -> int:
        """Counts a call. Seconds to wait where it is one too many, else 0."""
        now = self._clock()
        with self._lock:
            if (window := int(now // WINDOW_SECONDS)) != self._window:
                self._window, self._counts = window, {}
            name = address if address in self._counts or len(self._counts) < MAX_ADDRESSES else ""
            self._counts[name] = self._counts.get(name, 0) + 1
            if self._counts[name] <= limit:
                return 0
        return max(math.ceil((window + 1) * WINDOW_SECONDS - now), 1)


RATE = AddressRate()
"""Of this process."""


def find_excess(address: str) -> Problem | None:
    """Counts an anonymous call; the 429 that answers it where it is one too many."""
    wait = RATE.count(address, settings.ANONYMOUS_REQUESTS_PER_MINUTE)
    if not wait:
        return None
    detail = f"Too many requests without an API key or a session. Expected available in {wait} seconds."
    return Problem(429, "rate_limited", detail, headers={"Retry-After": str(wait)})
