"""Work that blocks, on worker threads, with the database connections given back on the thread that ran it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import anyio.to_thread
from django.db import close_old_connections

T = TypeVar("T")


async def run_blocking(limiter: anyio.CapacityLimiter, work: Callable[[], T]) -> T:
    """The result of the work, done on a worker thread; at most as many at once as the limiter allows.

    Requests of MCP never send Django's request signals, so nobody else would give the connections back.
    """
    return await anyio.to_thread.run_sync(partial(_run_and_close, work), limiter=limiter)


def _run_and_close(work: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return work()
    finally:
        close_old_connections()
