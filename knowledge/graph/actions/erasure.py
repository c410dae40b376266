"""Rows of the graph leave it for good only within a stretch that says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from knowledge.graph.models.guards import ERASURE_SETTING


@contextmanager
def erasing() -> Iterator[None]:
    """A stretch of a transaction in which rows of the graph may be deleted."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, 'on', true)", [ERASURE_SETTING])
        try:
            yield
        finally:
            cursor.execute("SELECT set_config(%s, '', true)", [ERASURE_SETTING])
