"""Rows that other parts of knowledge derive from articles: built, undone and discarded with each release.

A part registers its tables. Each has `domain_index_id`, `document_id` and a range of releases `[added_in, removed_in)`,
so that closing, reopening and removing are the same statements as for passages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from django.db import connection

from knowledge.canon.models import Publication, Release
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"


class ReleaseRows(Protocol):
    """What a part does beside the shared statements."""

    tables: tuple[str, ...]
    """Their names in the database."""

    def write(self, release: Release, publications: Sequence[Publication]) -> None:
        """Write what the articles of a batch state. Within the batch's transaction; the release is locked."""

    def restore_statements(self) -> tuple[str, ...]:
        """Statements that copy rows live in the base and closed since; parameters as for `restore_passages.sql`."""

    def settle(self, domain_index_id: int, number: int) -> None:
        """Bring into line what has no ranges of its own with a release: it was built, or `latest` moved to it."""

    def rebuild(self, domain_index_id: int) -> int:
        """Derive all rows of a domain anew, for all its releases; how many were written."""


_registered: list[ReleaseRows] = []


def register_release_rows(rows: ReleaseRows) -> None:
    """Have rows built with every release from now on. Called once for each part, when the app is ready."""
    if rows not in _registered:
        _registered.append(rows)


def write_release_rows(release: Release, publications: Sequence[Publication]) -> None:
    """Write what the articles of a batch state, for all parts."""
    for rows in _registered:
        rows.write(release, publications)


def undo_release_rows(parameters: Mapping[str, Any], *, restores: bool) -> None:
    """Bring all parts' rows to the release's base, then close those of the documents that it edits."""
    close, edited = read_query(SQL / "close_abandoned.sql"), read_query(SQL / "close_edited_rows.sql")
    with connection.cursor() as cursor:
        for rows in _registered:
            if restores:
                for table in rows.tables:
                    cursor.execute(close.format(table=table), parameters)
                for statement in rows.restore_statements():
                    cursor.execute(statement, parameters)
            for table in rows.tables:
                cursor.execute(edited.format(table=table), parameters)


def list_release_tables() -> tuple[str, ...]:
    """The tables of all parts."""
    return tuple(table for rows in _registered for table in rows.tables)


def settle_release_rows(domain_index_id: int, number: int) -> None:
    """Bring what has no ranges into line with a release, for all parts."""
    for rows in _registered:
        rows.settle(domain_index_id, number)


def rebuild_release_rows(domain_index_id: int) -> int:
    """Derive the rows of all parts anew, for a domain that was restored or loaded before they were; how many."""
    return sum(rows.rebuild(domain_index_id) for rows in _registered)
