"""The statements that a read sends, and sending them again by psycopg alone: the bare SQL of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import connection
from django.test.utils import CaptureQueriesContext


def capture_statements(read: Callable[[str], object], queries: Sequence[str]) -> list[list[str]]:
    """What each query's read sends, its parameters filled in."""
    statements = []
    for query in queries:
        with CaptureQueriesContext(connection) as captured:
            read(query)
        statements.append([entry["sql"] for entry in captured.captured_queries])
    return statements


def send_statements(statements: Sequence[str]) -> None:
    """Sends them one after another by psycopg alone, and fetches their rows."""
    raw = connection.connection
    for statement in statements:
        with raw.cursor() as cursor:
            cursor.execute(statement)
            cursor.fetchall()
