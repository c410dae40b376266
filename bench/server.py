"""The web process, as production runs it, on a free port of loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

START_SECONDS = 60


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


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with code {process.returncode}")
        try:
            if httpx.get(f"{url}/healthz", timeout=2).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError("the server did not answer in time")
