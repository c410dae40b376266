"""Rows of raw statements by the names of their columns."""

from __future__ import annotations

from typing import Any

from django.db.backends.utils import CursorWrapper


def fetch_rows(cursor: CursorWrapper) -> list[dict[str, Any]]:
    """What is left of the statement's rows, each as column to value."""
    names = [column.name for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
