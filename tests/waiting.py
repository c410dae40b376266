"""Waiting for what other threads and processes do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_for(condition: Callable[[], T], what: object = "", seconds: float = 180.0, pause: float = 0.05) -> T:
    """What the condition returns once that is true; fails by saying `what` did not happen."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"it did not happen in {seconds:.0f} s: {what}"
        time.sleep(pause)
    return found
