"""Reads on a second connection: where they run, what comes back, and when they wait their turn."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from django.db import connection, connections, transaction
from django.db.backends.postgresql.base import DatabaseWrapper

from memoryproject import parallel_reads
from memoryproject.parallel_reads import start_parallel_read

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def idle(monkeypatch, settings) -> Iterator[None]:
    """Room for two reads, and a pool that has a connection for each."""
    settings.MAX_PARALLEL_READS = 2
    parallel_reads._get_room.cache_clear()
    monkeypatch.setattr(parallel_reads, "_has_idle_connection", lambda: not connection.in_atomic_block)
    yield
    parallel_reads._get_room.cache_clear()


def read_where() -> tuple[int, int]:
    """The thread that reads, and the server's process that answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return threading.get_ident(), cursor.fetchone()[0]


def test_a_read_runs_beside_the_caller_s(idle):
    there, here = start_parallel_read(read_where)(), read_where()
    assert there[0] != here[0]
    assert there[1] != here[1]


def test_what_a_read_raises_reaches_whoever_asks_for_its_result(idle):
    def fail() -> None:
        raise LookupError("nothing there")

    for _ in range(5):
        with pytest.raises(LookupError, match="nothing there"):
            start_parallel_read(fail)()
    assert start_parallel_read(read_where)()[0] != threading.get_ident()


def test_reads_beyond_the_room_take_their_turn(idle):
    release = threading.Event()
    waiting = [start_parallel_read(release.wait) for _ in range(2)]
    assert start_parallel_read(read_where)()[0] == threading.get_ident()
    release.set()
    assert [each() for each in waiting] == [True, True]
    assert start_parallel_read(read_where)()[0] != threading.get_ident()


def test_who_waits_for_a_read_holds_no_connection(idle):
    ours = connections["default"]
    connection.ensure_connection()
    held = []

    def read_slowly() -> None:
        time.sleep(0.1)
        held.append(ours.connection is not None)

    start_parallel_read(read_slowly)()
    assert held == [False]
    done = start_parallel_read(lambda: 37)
    connection.ensure_connection()
    time.sleep(0.1)
    assert done() == 37
    assert ours.connection is not None


def test_within_a_transaction_a_read_sees_what_was_written(idle):
    with transaction.atomic():
        assert start_parallel_read(read_where)() == read_where()


def test_without_room_or_a_pool_reads_take_their_turn(settings):
    assert connection.pool is None
    settings.MAX_PARALLEL_READS = 2
    parallel_reads._get_room.cache_clear()
    assert start_parallel_read(read_where)() == read_where()
    settings.MAX_PARALLEL_READS = 0
    parallel_reads._get_room.cache_clear()
    assert start_parallel_read(read_where)() == read_where()
    parallel_reads._get_room.cache_clear()


def test_only_a_pool_with_a_connection_that_nobody_uses_has_one_to_spare(monkeypatch):
    options = {**connection.settings_dict["OPTIONS"], "pool": {"min_size": 2, "max_size": 2}}
    pooled = DatabaseWrapper({**connection.settings_dict, "OPTIONS": options, "CONN_MAX_AGE": 0}, "pooled")
    monkeypatch.setattr(parallel_reads, "connection", pooled)
    pooled.pool.open(wait=True)
    try:
        with pooled.pool.connection():
            assert parallel_reads._has_idle_connection()
            with pooled.pool.connection():
                assert not parallel_reads._has_idle_connection()
            assert parallel_reads._has_idle_connection()
    finally:
        pooled.close_pool()
