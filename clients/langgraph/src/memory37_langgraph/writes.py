"""Which writes of tasks are on their way, so that checkpoints wait for them.

LangGraph saves in the background and in no order. A checkpoint that comes before the writes of the task that it follows
would close what the task asked as unanswered, though the process has answered it itself. Only writes that have begun in
this saver are known: one that no thread has taken up yet, or another process's, may still be passed.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Lock

from langchain_core.runnables import RunnableConfig


class WritesUnderWay:
    """Writes that have begun and not ended, by thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_thread: dict[str, set[Future[None]]] = {}

    @contextmanager
    def track(self, config: RunnableConfig) -> Iterator[None]:
        """A write of the config's thread: it ends with the block, in whatever way."""
        thread_id, ending = _read_thread(config), Future[None]()
        ending.set_running_or_notify_cancel()  # who waits for it may be cancelled; it may not
        with self._lock:
            self._by_thread.setdefault(thread_id, set()).add(ending)
        try:
            yield
        finally:
            with self._lock:
                left = self._by_thread[thread_id]
                left.discard(ending)
                if not left:
                    del self._by_thread[thread_id]
            ending.set_result(None)

    def list_endings(self, config: RunnableConfig) -> list[Future[None]]:
        """A future for each write of the config's thread that is under way now; it is done when the write has ended."""
        with self._lock:
            return list(self._by_thread.get(_read_thread(config), ()))


def _read_thread(config: RunnableConfig) -> str:
    return str(config["configurable"]["thread_id"])
