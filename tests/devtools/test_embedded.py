from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import redis
from django.core.cache import cache
from django.db import connection
from redis.backoff import NoBackoff
from redis.retry import Retry

from devtools import embedded
from devtools.embedded.lease import Lease
from devtools.embedded.places import postgres_data_dir, postgres_socket_dir, redis_socket_path
from memoryproject.redis import build_key

pytestmark = pytest.mark.slow

PATIENCE_SECONDS = 240
"""A leaving user may wait for two servers to save and end, on a machine that has much else to do."""

USER_PROCESS = """
import sys
from pathlib import Path
from devtools import embedded
data_dir = Path(sys.argv[1])
embedded.ensure_postgres(data_dir, durable=False)
embedded.ensure_redis(data_dir)
print("attached", flush=True)
sys.stdin.readline()
"""


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """A data directory with services of its own, stopped whatever the tests did.

    Not one of pytest's: each of its runs closes their parent directory to PostgreSQL's system user.
    """
    with tempfile.TemporaryDirectory(prefix="memory37-services-") as name:
        directory = Path(name)
        yield directory
        embedded.ensure_postgres(directory, durable=False)
        embedded.ensure_redis(directory)
        embedded.release_postgres(directory)
        embedded.release_redis(directory)


def postgres_pid(data_dir: Path) -> int | None:
    path = postgres_data_dir(data_dir) / "postmaster.pid"
    return int(path.read_text().split()[0]) if path.exists() else None


def postgres_answers(data_dir: Path) -> bool:
    try:
        psycopg.connect(host=str(postgres_socket_dir(data_dir)), user="postgres", dbname="memory37").close()
    except psycopg.OperationalError:
        return False
    return True


def open_redis(data_dir: Path) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(redis_socket_path(data_dir)))


def redis_answers(data_dir: Path) -> bool:
    try:
        return bool(open_redis(data_dir).ping())
    except redis.ConnectionError:
        return False


def start_user(data_dir: Path) -> subprocess.Popen[str]:
    user = subprocess.Popen(
        [sys.executable, "-c", USER_PROCESS, str(data_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert user.stdout.readline() == "attached\n"
    return user


def end_user(user: subprocess.Popen[str]) -> None:
    user.communicate("bye\n", timeout=PATIENCE_SECONDS)
    assert user.returncode == 0


@pytest.mark.django_db
def test_the_test_database_is_a_recent_postgresql_of_its_own():
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        assert int(cursor.fetchone()[0]) >= 160000
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone()[0].startswith("test_")


def test_redis_and_the_cache_keep_what_is_set(redis):
    redis.set(build_key("greeting"), "hello")
    assert redis.get(build_key("greeting")) == b"hello"
    cache.set("k", {"a": 1})
    assert cache.get("k") == {"a": 1}


def test_services_stop_with_their_last_user_and_keep_their_data(data_dir):
    first = start_user(data_dir)
    pid = postgres_pid(data_dir)
    second = start_user(data_dir)
    assert postgres_pid(data_dir) == pid
    open_redis(data_dir).set("kept", "yes")
    end_user(first)
    assert postgres_answers(data_dir)
    assert redis_answers(data_dir)
    end_user(second)
    assert postgres_pid(data_dir) is None
    assert not redis_answers(data_dir)
    third = start_user(data_dir)
    assert open_redis(data_dir).get("kept") == b"yes"
    end_user(third)


def test_everything_killed_at_once_does_not_block_the_next_start(data_dir):
    user = start_user(data_dir)
    redis_pid = open_redis(data_dir).info("server")["process_id"]
    for pid in (user.pid, postgres_pid(data_dir), redis_pid):
        os.kill(pid, signal.SIGKILL)
    user.wait()
    assert (postgres_data_dir(data_dir) / "postmaster.pid").exists()
    assert redis_socket_path(data_dir).exists()
    end_user(start_user(data_dir))
    assert postgres_pid(data_dir) is None


def test_a_pid_file_that_names_a_stranger_does_not_block_the_start(data_dir):
    end_user(start_user(data_dir))
    pid_file = postgres_data_dir(data_dir) / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{pid_file.parent}\n1\n5432\n\n\n\nready\n")
    end_user(start_user(data_dir))
    pid_file.write_text("")
    end_user(start_user(data_dir))


def test_a_server_left_running_by_a_killed_user_is_taken_over_and_stopped(data_dir):
    user = start_user(data_dir)
    pid = postgres_pid(data_dir)
    user.kill()
    user.wait()
    assert postgres_answers(data_dir)
    heir = start_user(data_dir)
    assert postgres_pid(data_dir) == pid
    end_user(heir)
    assert postgres_pid(data_dir) is None


def test_a_service_that_died_under_its_user_is_revived(data_dir):
    user = start_user(data_dir)
    assert not embedded.revive_postgres(data_dir, durable=False)
    assert not embedded.revive_redis(data_dir)
    os.kill(postgres_pid(data_dir), signal.SIGKILL)
    redis_pid = open_redis(data_dir).info("server")["process_id"]
    os.kill(redis_pid, signal.SIGKILL)
    while psutil.pid_exists(redis_pid) and psutil.Process(redis_pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert embedded.revive_redis(data_dir)
    assert embedded.revive_postgres(data_dir, durable=False)
    assert postgres_answers(data_dir)
    end_user(user)


def test_who_starts_redis_finds_its_data_loaded(data_dir):
    embedded.ensure_redis(data_dir)
    open_redis(data_dir).eval("for n = 1, 300000 do redis.call('SET', 'filler:' .. n, n) end", 0)
    embedded.release_redis(data_dir)
    assert not redis_answers(data_dir)
    embedded.ensure_redis(data_dir)
    impatient = redis.Redis(unix_socket_path=str(redis_socket_path(data_dir)), retry=Retry(NoBackoff(), 0))
    try:
        assert impatient.get("filler:300000") == b"300000"
    finally:
        embedded.reset_redis(data_dir)
        embedded.release_redis(data_dir)


def test_a_reset_empties_the_database_and_redis(data_dir):
    user = start_user(data_dir)
    sockets = str(postgres_socket_dir(data_dir))
    with psycopg.connect(host=sockets, user="postgres", dbname="memory37", autocommit=True) as connected:
        connected.execute("CREATE TABLE left_over (id int)")
        open_redis(data_dir).set("left", "over")
        embedded.reset_database(data_dir)
        embedded.reset_redis(data_dir)
    with psycopg.connect(host=sockets, user="postgres", dbname="memory37") as fresh:
        assert fresh.execute("SELECT to_regclass('left_over')").fetchone() == (None,)
        assert fresh.execute("SELECT count(*) FROM pg_extension WHERE extname = 'vector'").fetchone() == (1,)
    assert open_redis(data_dir).dbsize() == 0
    end_user(user)


def test_a_server_that_cannot_start_says_why(tmp_path):
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("9.6\n")
    with pytest.raises(embedded.EmbeddedServiceError, match=r"PostgreSQL does not start(.|\n)*server\.log"):
        embedded.ensure_postgres(tmp_path)
    assert Lease(tmp_path / "run", "postgres").is_held is False


def test_an_open_transaction_of_another_user_outlives_a_leaving_one(data_dir):
    stays = start_user(data_dir)
    with psycopg.connect(host=str(postgres_socket_dir(data_dir)), user="postgres", dbname="memory37") as connected:
        connected.execute("SELECT 1")
        end_user(start_user(data_dir))
        assert connected.execute("SELECT 2").fetchone() == (2,)
    end_user(stays)
