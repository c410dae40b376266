"""Tells a database that does not answer at all from one that takes its time.

A stopped server keeps its sockets open: whoever waits for it waits for ever, and its own time limits are stopped too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

import psycopg

PATIENCE_SECONDS = 1.0
"""So long a statement may take before the server is asked whether it lives."""
PROBE_SECONDS = 1.0
"""So long it has to say so: both together, and a pool's wait, answer 503 within three seconds."""

Probe = Callable[[], Any]


class ServerWatch:
    """Whether a server answers, asked on a connection of its own by all who wait for it together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="database-watch")
        self._probe: Future[Any] | None = None
        self._asked_at = 0.0
        self._is_silent = False

    def is_silent(self, probe: Probe, *, waited_seconds: float) -> bool:
        """Whether the server has said nothing for so long that nobody should wait for it."""
        if not self._is_silent and waited_seconds < PATIENCE_SECONDS:
            return False
        asked = self._ask(probe)
        try:
            asked.result(timeout=max(0.0, PROBE_SECONDS - (time.monotonic() - self._asked_at)))
        except (FutureTimeout, psycopg.errors.ConnectionTimeout):
            self._is_silent = True
        except psycopg.Error:
            self._is_silent = False  # whatever it says, it answers
        else:
            self._is_silent = False
        return self._is_silent

    def _ask(self, probe: Probe) -> Future[Any]:
        """The question that is under way, or was answered within the last second; else a new one."""
        with self._lock:
            is_fresh = time.monotonic() - self._asked_at < PROBE_SECONDS
            if self._probe is None or (self._probe.done() and not is_fresh):
                self._asked_at = time.monotonic()
                self._probe = self._threads.submit(probe)
            return self._probe


WATCH = ServerWatch()
"""Of the one database that a process has."""


class WatchedConnection(psycopg.Connection[Any]):
    """A connection on which nobody waits for a server that does not answer: it raises OperationalError instead."""

    def wait(self, gen: Any, *arguments: Any, **more: Any) -> Any:
        """What the exchange with the server gives. Raises OperationalError."""
        return super().wait(self._watch(gen), *arguments, **more)

    def _watch(self, gen: Any) -> Generator[Any, Any, Any]:
        start = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and WATCH.is_silent(self._probe, waited_seconds=time.monotonic() - start):
                    self.close()  # what it may still say is an answer to nobody
                    raise psycopg.OperationalError("The server does not answer.")
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value

    def _probe(self) -> None:
        """Ask the server on another connection, with the parameters of this one."""
        info = self.info
        with psycopg.connect(info.dsn, password=info.password, connect_timeout=2, autocommit=True) as connection:
            connection.execute("SELECT 1")
