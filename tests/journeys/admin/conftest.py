"""The running service: web (ASGI) and a Celery worker, for people who work in a browser."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.journeys.conftest import answers, running
from tests.waiting import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@dataclass(frozen=True)
class House:
    """Where the running service answers, and the logs of its processes."""

    url: str
    logs: Path


@pytest.fixture(scope="package")
def service(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Web and worker. They take half a minute of computing to start, so that one start serves every test here."""
    logs = tmp_path_factory.mktemp("service")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    worker = ["celery", "--app", "memoryproject", "worker", "--concurrency", "1", "--loglevel", "INFO"]
    with (
        running(["memoryproject.web", "--port", str(port), "--workers", "1"], logs / "web.log", process="web"),
        running([*worker, "--without-gossip", "--without-mingle"], logs / "worker.log", process="worker"),
    ):
        wait_for(lambda: answers(f"{url}/readyz"), f"web: {logs / 'web.log'}")
        wait_for(lambda: " ready." in (logs / "worker.log").read_text(), f"worker: {logs / 'worker.log'}")
        yield House(url, logs)


@pytest.fixture
def house(transactional_db: None, redis: object, browser: Browser, service: House) -> Iterator[House]:
    """The running service for one test; pages that it leaves open are closed before its rows go."""
    yield service
    for context in browser.contexts:
        context.close()
