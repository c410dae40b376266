"""A database that is stopped, not gone: everybody is told within three seconds, and what is only slow goes on."""

from __future__ import annotations

import os
import signal
import time

import httpx
import psutil
import psycopg
import pytest
from psycopg_pool import ConnectionPool, PoolTimeout

from devtools.embedded.places import DATABASE_NAME, POSTGRES_USER, postgres_socket_dir
from devtools.embedded.postgres import ensure_postgres, release_postgres
from memoryproject.liveness import WatchedConnection
from tests.memoryproject.test_web_process import start_web

pytestmark = pytest.mark.slow

__all__ = ["start_web"]
LIMIT_SECONDS = 10.0
"""The promise is 3 s, kept on a quiet machine; a loaded one adds its own. Without the limits it is 14 s and more."""


@pytest.fixture
def server(tmp_path):
    """A PostgreSQL of the test's own; yields its data directory."""
    ensure_postgres(tmp_path, durable=False)
    yield tmp_path
    freeze(tmp_path, signal.SIGCONT)
    release_postgres(tmp_path)


def find_postmaster(data_dir):
    [path] = data_dir.rglob("postmaster.pid")
    return psutil.Process(int(path.read_text().splitlines()[0]))


def freeze(data_dir, number):
    postmaster = find_postmaster(data_dir)
    for process in (postmaster, *postmaster.children(recursive=True)):
        os.kill(process.pid, number)


@pytest.fixture
def pool(server):
    conninfo = {"host": str(postgres_socket_dir(server)), "user": POSTGRES_USER, "dbname": DATABASE_NAME}
    with ConnectionPool(
        kwargs={**conninfo, "connect_timeout": 2, "autocommit": True},
        connection_class=WatchedConnection,
        check=ConnectionPool.check_connection,
        min_size=2,
        max_size=4,
        timeout=2,
    ) as pool:
        pool.wait()
        yield pool


def test_nobody_waits_for_a_server_that_is_stopped(pool, server):
    with pool.connection() as held:
        held.execute("SELECT 1")
        freeze(server, signal.SIGSTOP)
        start = time.monotonic()
        with pytest.raises(psycopg.OperationalError):
            held.execute("SELECT 1")
        assert time.monotonic() - start < LIMIT_SECONDS
    for _ in range(2):
        start = time.monotonic()
        with pytest.raises((psycopg.OperationalError, PoolTimeout)), pool.connection() as another:
            another.execute("SELECT 1")
        assert time.monotonic() - start < LIMIT_SECONDS
    freeze(server, signal.SIGCONT)
    deadline = time.monotonic() + 20
    while True:
        try:
            with pool.connection() as again:
                assert again.execute("SELECT 7").fetchone() == (7,)
            break
        except psycopg.OperationalError:
            assert time.monotonic() < deadline


def test_a_statement_that_takes_long_is_left_alone(pool):
    with pool.connection() as connection:
        assert connection.execute("SELECT 5 FROM pg_sleep(3.2)").fetchone() == (5,)


def test_a_web_process_says_that_its_database_is_stopped_and_does_not_wait_for_it(start_web, server):
    web: httpx.Client = start_web(MEMORY37_DATA_DIR=str(server), MEMORY37_PROCESS="web")
    assert web.get("/readyz").json()["checks"]["database"] == "ok"
    freeze(server, signal.SIGSTOP)
    for path, code in (("/readyz", "not_ready"), ("/api/v1/status", "database_unavailable"), ("/readyz", "not_ready")):
        start = time.monotonic()
        answer = web.get(path, headers={"Authorization": "Bearer m37_abcdefghij_" + "x" * 43})
        assert (answer.status_code, answer.json()["code"]) == (503, code), answer.content
        assert time.monotonic() - start < LIMIT_SECONDS, path
    assert web.get("/healthz").status_code == 200
    freeze(server, signal.SIGCONT)
    deadline = time.monotonic() + 20
    while web.get("/readyz").json()["checks"]["database"] != "ok":
        assert time.monotonic() < deadline
