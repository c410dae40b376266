"""Which writes of tasks are on their way, so that no checkpoint passes them.

LangGraph saves in the background and in no order. A checkpoint that comes before the writes of the task that it follows
would close what the task asked as unanswered, though the process has answered it itself.
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
    def hold(self, config: RunnableConfig) -> Iterator[None]:
        """Counts as under way, until the block ends in whatever way."""
        thread_id, ending = _read_thread(config), Future[None]()
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

    def list_of(self, config: RunnableConfig) -> list[Future[None]]:
        """The writes of the config's thread that are under way now; each future ends with them."""
        with self._lock:
            return list(self._by_thread.get(_read_thread(config), ()))


def _read_thread(config: RunnableConfig) -> str:
    return str(config["configurable"]["thread_id"])
