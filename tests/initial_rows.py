"""The rows that a fresh test database has, and the way back to them after a test that commits.

Django's own way, ``flush``, truncates every table and makes content types and permissions anew: most of a second,
whatever the test wrote. Here only tables that have changed are touched.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from django.contrib.contenttypes.models import ContentType
from django.db import OperationalError, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from psycopg.errors import LockNotAvailable

VACUUM_FROM_ROWS = 1_000
"""Dead rows in such a number slow the next tests' scans down, above all in an HNSW index."""

LOCK_SECONDS = 30.0
LOCK_PAUSE = 0.05
"""How long other transactions have to end, and the wait between two looks, in seconds."""

Fingerprints = dict[str, str]


@dataclass(frozen=True, slots=True)
class InitialRows:
    """All tables; of those that are not empty at the start a hash of the rows, and the rows as ``COPY`` gives them.

    Copies come in the order of the pages, which rows that come back after a vacuum do not keep: they are not compared.
    """

    tables: tuple[str, ...]
    fingerprints: Fingerprints
    copies: dict[str, bytes] = field(compare=False)


def read_initial_rows(connection: BaseDatabaseWrapper) -> InitialRows:
    """All tables and what is in them now. Call before the first test."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relpersistence = 'p'"
            " AND relnamespace = 'public'::regnamespace ORDER BY relname"
        )
        tables = tuple(row[0] for row in cursor.fetchall())
        fingerprints = {table: _fingerprint(cursor, table) for table in _list_filled(cursor, tables)}
        copies = {table: copy_out(cursor, table) for table in fingerprints}
    return InitialRows(tables, fingerprints, copies)


def may_restore(connection: BaseDatabaseWrapper) -> bool:
    """Whether this user may delete past triggers and foreign keys; if not, Django's ``flush`` is the way."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_parameter_privilege('session_replication_role', 'SET')")
        return bool(cursor.fetchone()[0])


def restore_rows(connection: BaseDatabaseWrapper, initial: InitialRows) -> None:
    """The database holds its initial rows and no others; sequences go on.

    Waits for transactions that still write or hold rows, such as those of a page's last request. It never waits
    with a lock in hand: the other one may want that very table next.
    """
    deadline = time.monotonic() + LOCK_SECONDS
    while not _restore_unless_locked(connection, initial, must=time.monotonic() > deadline):
        time.sleep(LOCK_PAUSE)


def _restore_unless_locked(connection: BaseDatabaseWrapper, initial: InitialRows, *, must: bool) -> bool:
    with transaction.atomic(using=connection.alias, durable=True), connection.cursor() as cursor:
        try:
            cursor.execute(f"LOCK TABLE {', '.join(initial.tables)} IN EXCLUSIVE MODE NOWAIT")
        except OperationalError as error:
            if must or not isinstance(error.__cause__, LockNotAvailable):
                raise
            transaction.set_rollback(True, using=connection.alias)
            return False
        cursor.execute("SET LOCAL session_replication_role = replica")
        filled = _list_filled(cursor, initial.tables)
        kept = {table for table, known in initial.fingerprints.items() if known == _fingerprint(cursor, table)}
        large = [table for table in filled if table not in kept and _delete_all(cursor, table) >= VACUUM_FROM_ROWS]
        for table in initial.fingerprints.keys() - kept:
            copy_in(cursor, table, initial.copies[table])
            ContentType.objects.clear_cache()
    if large:
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM {', '.join(large)}")
    return True


def put_rows(connection: BaseDatabaseWrapper, rows: InitialRows) -> None:
    """The database holds these rows and no others, within the transaction of a test that rolls back as well."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table in _list_filled(cursor, rows.tables):
            if rows.fingerprints.get(table) != _fingerprint(cursor, table):
                _delete_all(cursor, table)
        filled = set(_list_filled(cursor, rows.tables))
        for table in rows.fingerprints.keys() - filled:
            copy_in(cursor, table, rows.copies[table])
        cursor.execute("SET LOCAL session_replication_role = origin")


def _list_filled(cursor: CursorWrapper, tables: tuple[str, ...]) -> list[str]:
    questions = (f"SELECT {index} WHERE EXISTS (SELECT FROM {table})" for index, table in enumerate(tables))
    cursor.execute(" UNION ALL ".join(questions))
    return [tables[row[0]] for row in cursor.fetchall()]


def _fingerprint(cursor: CursorWrapper, table: str) -> str:
    cursor.execute(f"SELECT coalesce(md5(string_agg(row::text, chr(10) ORDER BY row::text)), '') FROM {table} AS row")
    return str(cursor.fetchone()[0])


def _delete_all(cursor: CursorWrapper, table: str) -> int:
    cursor.execute(f"DELETE FROM {table}")
    return int(cursor.rowcount)


def copy_out(cursor: CursorWrapper, table: str) -> bytes:
    """The table's rows as ``COPY`` gives them."""
    with cursor.copy(f"COPY {table} TO STDOUT") as copy:
        return b"".join(bytes(part) for part in copy)


def copy_in(cursor: CursorWrapper, table: str, rows: bytes) -> None:
    """Rows as ``copy_out`` gave them, put into the table."""
    with cursor.copy(f"COPY {table} FROM STDIN") as copy:
        copy.write(rows)
