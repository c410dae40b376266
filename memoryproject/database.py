"""Database connections of a process as a whole."""

from __future__ import annotations

from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper


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
