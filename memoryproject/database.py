"""Database connections of a process as a whole."""

from __future__ import annotations

from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper


def close_pools() -> None:
    """Close every connection pool, so that no thread of one outlives the process' work."""
    for connection in connections.all():
        connection.close()
        if isinstance(connection, DatabaseWrapper):
            connection.close_pool()
