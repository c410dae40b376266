"""How long each step of a request takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Stopwatch:
    """Milliseconds by step; a step that is entered again adds to its own."""

    steps_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Counts the time of the block."""
        start = time.perf_counter()
        yield
        self.steps_ms[name] = self.steps_ms.get(name, 0.0) + (time.perf_counter() - start) * 1000
