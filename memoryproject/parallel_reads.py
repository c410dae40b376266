"""Reads beside a request's own: on a second connection, while the process has one to spare."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from django.conf import settings
from django.db import connection

from memoryproject.database import release_connections

T = TypeVar("T")


def start_parallel_read(read: Callable[[], T]) -> Callable[[], T]:
    """Starts a read; what is returned is called once, and gives its result or raises what it raised.

    It runs on a thread of its own if `MAX_PARALLEL_READS` leaves room and a pooled connection lies idle. Else, and
    always within a transaction, it runs when its result is asked for. Who waits for one holds no connection meanwhile.
    """
    room, threads = _get_room()
    if not _has_idle_connection() or not room.acquire(blocking=False):
        return read

    def run() -> T:
        try:
            return read()
        finally:
            connection.close()
            room.release()

    started = threads.submit(copy_context().run, run)

    def get_result() -> T:
        if not started.done():
            release_connections()
        return started.result()

    return get_result


def _has_idle_connection() -> bool:
    """Whether the pool has a connection that nobody uses. Without a pool a new one would cost more than it saves."""
    pool = None if connection.in_atomic_block else getattr(connection, "pool", None)
    return pool is not None and pool.get_stats()["pool_available"] > 0


@functools.cache
def _get_room() -> tuple[threading.Semaphore, ThreadPoolExecutor]:
    most = settings.MAX_PARALLEL_READS
    return threading.Semaphore(most), ThreadPoolExecutor(max(1, most), thread_name_prefix="read-beside")
