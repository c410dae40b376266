"""The statements that a read sends, and sending them again by psycopg alone: the bare SQL of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection


def capture_statements(read: Callable[[str], object], queries: Sequence[str]) -> list[list[str]]:
    """What each query's read sends, its parameters filled in."""
    return [_capture(read, query) for query in queries]


def _capture(read: Callable[[str], object], query: str) -> list[str]:
    sent: list[str] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        sent.append(connection.ops.compose_sql(sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        read(query)
    return sent


def send_statements(statements: Sequence[str]) -> None:
    """Sends them one after another by psycopg alone, and fetches their rows."""
    raw = connection.connection
    for statement in statements:
        with raw.cursor() as cursor:
            cursor.execute(statement)
            cursor.fetchall()
