"""The web process, as production runs it, on a free port of loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx

START_SECONDS = 240
"""A process compiles patterns before it takes requests: some seconds of a core, minutes of a busy machine."""
CALM_SECONDS = 1.0
CALM_REQUESTS = 8
"""So many answers in a row within CALM_SECONDS: every process of the server has done what it does once."""


@contextmanager
def serve(**environment: str) -> Iterator[str]:
    """The base URL of a server on this process' database, with other settings if wanted; it ends with the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "memoryproject.web", "--port", str(port)]
    process = subprocess.Popen(command, env={**os.environ, "MEMORY37_PROCESS": "web", **environment})
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def warm_up(send: Callable[[], object]) -> None:
    """Sends a request until its answers come promptly, with the time that a cold process takes; raises when none do.

    The client's own timeout must be START_SECONDS or more.
    """
    deadline, prompt = time.monotonic() + START_SECONDS, 0
    while prompt < CALM_REQUESTS:
        start = time.monotonic()
        send()
        prompt = prompt + 1 if time.monotonic() - start < CALM_SECONDS else 0
        if time.monotonic() > deadline:
            raise RuntimeError("the server's answers did not come promptly in time")


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with code {process.returncode}")
        try:
            if httpx.get(f"{url}/healthz", timeout=10).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise RuntimeError("the server did not answer in time")
