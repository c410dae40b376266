"""Where the embedded services keep their data and sockets. Pure: nothing is created here."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

DATABASE_NAME = "memory37"
POSTGRES_USER = "postgres"
POSTGRES_SOCKET_NAME = ".s.PGSQL.5432"
MAX_SOCKET_PATH_LENGTH = 100
"""Unix sockets allow 107 bytes (103 on macOS)."""


def postgres_data_dir(data_dir: Path) -> Path:
    """The directory of the PostgreSQL cluster."""
    return data_dir / "postgres"


def redis_data_dir(data_dir: Path) -> Path:
    """The directory in which Redis persists."""
    return data_dir / "redis"


def postgres_socket_dir(data_dir: Path) -> Path:
    """The directory of PostgreSQL's socket: the cluster itself, else a short one."""
    return _socket_dir(postgres_data_dir(data_dir), POSTGRES_SOCKET_NAME)


def redis_socket_path(data_dir: Path) -> Path:
    """The path of Redis' socket: next to its data, else in a short directory."""
    return _socket_dir(redis_data_dir(data_dir), "redis.sock") / "redis.sock"


def _socket_dir(wanted: Path, socket_name: str) -> Path:
    if len(str(wanted / socket_name).encode()) <= MAX_SOCKET_PATH_LENGTH:
        return wanted
    digest = hashlib.sha256(str(wanted).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"memory37-{digest}"
