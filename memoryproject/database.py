"""Database connections of a process as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connections, transaction
from django.db.backends.postgresql.base import DatabaseWrapper


def after_commit(call: Callable[..., object], *args: Any, **more: Any) -> None:
    """`call` runs once the transaction holds. What it raises costs a log line, and what comes after it runs as well.

    Django names a call that fails by its `__qualname__`; a partial has none, and would fail whoever committed.
    """

    def run_after_commit() -> None:
        call(*args, **more)

    transaction.on_commit(run_after_commit, robust=True)


def release_connections() -> None:
    """This thread's connections go back to their pool before a long wait, save those within a transaction."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


def close_pools() -> None:
    """Close every connection pool, so that no thread of one outlives the process' work."""
    for connection in connections.all():
        connection.close()
        if isinstance(connection, DatabaseWrapper):
            connection.close_pool()
