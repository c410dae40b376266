"""One demo a data directory: the running one holds a lock and says in it where it listens."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class DemoRunning(Exception):
    """Another demo uses this data directory."""

    def __init__(self, description: str) -> None:
        super().__init__(description)
        self.description = description


@contextmanager
def acquire_demo_lock(data_dir: Path) -> Iterator[Path]:
    """The only demo of ``data_dir``; yields the file in which it tells others where it listens."""
    path = data_dir / "run" / "demo.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DemoRunning(path.read_text().strip()) from error
        path.write_text(f"process {os.getpid()}, still starting")
        yield path
        path.write_text("")
    finally:
        os.close(descriptor)
