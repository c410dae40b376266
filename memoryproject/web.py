"""Serves the web process: ``python -m memoryproject.web --host 0.0.0.0 --port 8000``."""

from __future__ import annotations

import argparse
import atexit
import os
import shutil
import signal
import sys
import tempfile
from types import FrameType

import uvicorn

from memoryproject.environment import read_int, read_text

GRACEFUL_SHUTDOWN_SECONDS = 15
SILENT_WORKER_SECONDS = 60
"""So long a worker may keep its supervisor waiting before it is killed. uvicorn's five seconds are fewer than a busy
machine takes to compile the patterns: workers were then killed while they started, again and again."""


def serve(*, host: str, port: int, workers: int = 1) -> None:
    """Serve until told to stop. Logging is Django's, and the access log is our own.

    Several workers share the port: one that is killed is not seen, and started again.
    """
    os.environ.setdefault("MEMORY37_PROCESS", "web")
    if workers > 1 and not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = _make_metrics_directory()
    uvicorn.run(
        "memoryproject.asgi:application",
        host=host,
        port=port,
        workers=workers,
        http="memoryproject.http_parsing:TypedRequestProtocol",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACEFUL_SHUTDOWN_SECONDS,
        timeout_worker_healthcheck=SILENT_WORKER_SECONDS,
    )


def _make_metrics_directory() -> str:
    """A directory in which the workers add their metrics up; it goes with this process."""
    directory = tempfile.mkdtemp(prefix="memory37-metrics-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory


def _end(_signal: int, _stack: FrameType | None) -> None:
    """Ends the process as if it had returned: uvicorn raises the signal again once it is done, and would skip the
    hooks that give embedded services back."""
    sys.exit(0)


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m memoryproject.web", description=__doc__)
    parser.add_argument("--host", default=read_text("WEB_HOST", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=read_int("WEB_PORT", 8000))
    parser.add_argument("--workers", type=int, default=read_int("WEB_WORKERS", 2, at_least=1))
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)
    serve(host=arguments.host, port=arguments.port, workers=arguments.workers)


if __name__ == "__main__":
    main()
