"""Counts the processes that use a service by file locks, which end with their process however it ends."""

from __future__ import annotations

import atexit
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class Lease:
    """This process's share in a service that runs for as long as someone uses it."""

    def __init__(self, directory: Path, service: str) -> None:
        self._users_path = directory / f"{service}.users.lock"
        self._service_path = directory / f"{service}.gate.lock"
        self._descriptor: int | None = None
        self._owner_pid: int | None = None

    @property
    def is_held(self) -> bool:
        """Whether this very process (not the one it was forked from) holds a share."""
        return self._descriptor is not None and self._owner_pid == os.getpid()

    @contextmanager
    def lock_service(self) -> Iterator[None]:
        """Starts and stops of the service happen one at a time."""
        descriptor = _open_lock_file(self._service_path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def take(self) -> None:
        """Count this process among the users. Call inside `lock_service`."""
        if self.is_held:
            return
        self._descriptor = _open_lock_file(self._users_path)
        self._owner_pid = os.getpid()
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def is_last(self, *, patience_seconds: float = 0.0) -> bool:
        """Whether no other process uses the service, now or within some seconds. Call inside `lock_service`."""
        if not self.is_held or self._descriptor is None:
            return False
        deadline = time.monotonic() + patience_seconds
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                fcntl.flock(self._descriptor, fcntl.LOCK_SH)
                if time.monotonic() >= deadline:
                    return False
                time.sleep(0.05)
            else:
                return True

    def give_back(self) -> None:
        """Stop counting this process."""
        if self._descriptor is not None and self.is_held:
            os.close(self._descriptor)
        self._descriptor = None


class Leases:
    """This process's shares in one service, by the folder in which the service runs."""

    def __init__(self, service: str) -> None:
        self._service = service
        self._held: dict[Path, Lease] = {}
        self._lock = threading.Lock()

    def take(self, data_dir: Path, *, start: Callable[[], None], stop: Callable[[Path], None]) -> None:
        """Take a share until the process ends, unless one is held; `start` sees to it that the service runs."""
        with self._lock:
            held = self._held.get(data_dir)
            if held is not None and held.is_held:
                return
            lease = Lease(data_dir / "run", self._service)
            with lease.lock_service():
                lease.take()
                try:
                    start()
                except BaseException:
                    if lease.is_last():
                        stop(data_dir)
                    lease.give_back()
                    raise
            self._held[data_dir] = lease
            atexit.register(self.give_back, data_dir, stop=stop)

    def give_back(self, data_dir: Path, *, stop: Callable[[Path], None], patience_seconds: float = 0.0) -> None:
        """Give the share back, if one is held; the last user stops the service."""
        with self._lock:
            lease = self._held.pop(data_dir, None)
            if lease is None or not lease.is_held:
                return
            with lease.lock_service():
                if lease.is_last(patience_seconds=patience_seconds):
                    stop(data_dir)
                lease.give_back()
        atexit.unregister(self.give_back)


def _open_lock_file(path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
