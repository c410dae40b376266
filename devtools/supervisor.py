"""Keeps child processes running until it is told to stop, then ends them in order."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

STOP_TIMEOUT_SECONDS = 20.0
FIRST_BACKOFF_SECONDS = 1.0
MAX_BACKOFF_SECONDS = 30.0
STEADY_AFTER_SECONDS = 60.0
LARGEST_LOG_BYTES = 10_000_000
PR_SET_PDEATHSIG = 1


class StopRequested(BaseException):
    """Someone pressed Ctrl-C or sent SIGTERM."""


@dataclass(frozen=True)
class ChildSpec:
    """A process to keep running: its command, what it adds to the environment, and where its output goes."""

    name: str
    command: Sequence[str]
    log_path: Path
    environment: Mapping[str, str] = field(default_factory=dict)


class Child:
    """One kept process and its history of crashes."""

    def __init__(self, spec: ChildSpec) -> None:
        self.spec = spec
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self.restart_at = 0.0
        self.backoff_seconds = FIRST_BACKOFF_SECONDS

    def start(self) -> None:
        """Start the process in a session of its own, so that Ctrl-C reaches the supervisor alone."""
        self.spec.log_path.parent.mkdir(parents=True, exist_ok=True)
        _rotate(self.spec.log_path)
        with self.spec.log_path.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                list(self.spec.command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.spec.environment},
                start_new_session=True,
                preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509  no threads yet
            )
        self.started_at = time.monotonic()
        self.restart_at = 0.0

    def is_running(self) -> bool:
        """Whether the process lives."""
        return self.process is not None and self.process.poll() is None

    def plan_restart(self) -> float:
        """Choose when to start again after a crash; returns the pause in seconds."""
        now = time.monotonic()
        if now - self.started_at >= STEADY_AFTER_SECONDS:
            self.backoff_seconds = FIRST_BACKOFF_SECONDS
        pause = self.backoff_seconds
        self.restart_at = now + pause
        self.backoff_seconds = min(self.backoff_seconds * 2, MAX_BACKOFF_SECONDS)
        return pause

    def send(self, number: signal.Signals) -> None:
        """Signal the process if it lives."""
        if self.process is not None and self.is_running():
            self.process.send_signal(number)

    def kill_group(self) -> None:
        """Kill the process and whatever it started."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return
            finally:
                self.process.wait()


class Supervisor:
    """Children in the order in which they start; they end in the opposite order."""

    def __init__(self, specs: Sequence[ChildSpec], *, announce: Callable[[str], None]) -> None:
        self.children = [Child(spec) for spec in specs]
        self._announce = announce

    def start(self) -> None:
        """Start every child."""
        for child in self.children:
            child.start()

    def tick(self) -> None:
        """Notice children that ended and start them again after a pause that grows."""
        for child in self.children:
            if child.is_running():
                continue
            if child.restart_at == 0.0:
                code = child.process.returncode if child.process else None
                pause = child.plan_restart()
                self._announce(
                    f"{child.spec.name} ended (code {code}); starting it again in {pause:.0f} s. "
                    f"Its log: {child.spec.log_path}"
                )
            elif time.monotonic() >= child.restart_at:
                child.start()

    def find_dead(self) -> Child | None:
        """A child that does not run, or None when all do."""
        return next((child for child in self.children if not child.is_running()), None)

    def stop(self, *, timeout_seconds: float = STOP_TIMEOUT_SECONDS) -> None:
        """Ask every child to end; those that do not in time are killed. None is left."""
        for child in reversed(self.children):
            child.send(signal.SIGTERM)
        deadline = time.monotonic() + timeout_seconds
        try:
            while any(child.is_running() for child in self.children) and time.monotonic() < deadline:
                time.sleep(0.05)
        finally:
            for child in self.children:
                child.kill_group()


def raise_on_stop_signals() -> None:
    """From now on SIGINT, SIGTERM and SIGHUP raise StopRequested in the main thread."""

    def stop(_number: int, _stack: FrameType | None) -> None:
        raise StopRequested

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def ignore_stop_signals() -> None:
    """From now on nothing interrupts the clean-up."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def read_last_lines(path: Path, count: int = 15) -> str:
    """The end of a log file."""
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-count:])
    except OSError:
        return ""


def _rotate(path: Path) -> None:
    if path.exists() and path.stat().st_size > LARGEST_LOG_BYTES:
        path.replace(path.with_suffix(path.suffix + ".1"))


def _die_with_parent() -> None:
    """The kernel ends the child when its supervisor is killed, so that none is orphaned."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
