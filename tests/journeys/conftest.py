"""Processes of the service as subprocesses over the test database and Redis."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

from django.conf import settings
from django.db import connection

PATIENCE_SECONDS = 120.0


@contextmanager
def running(module: list[str], log: Path, *, process: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """A Python module as a process of its own over this test's database, with environment variables of its own."""
    environment = {
        **os.environ,
        "DATABASE_URL": describe_database(),
        "PRODUCTION": "false",
        "DEBUG": "true",
        "MEMORY37_PROCESS": process,
        "CELERY_SKIP_CHECKS": "1",
        **variables,
    }
    with log.open("wb") as output:
        child = subprocess.Popen(
            [sys.executable, "-m", *module],
            env=environment,
            cwd=settings.BASE_DIR,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield child
        finally:
            child.terminate()
            try:
                child.wait(timeout=20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def describe_database() -> str:
    """The test database as a URL that another process can connect by."""
    given = connection.settings_dict
    user = quote(given["USER"], safe="")
    if given["PASSWORD"]:
        user += f":{quote(given['PASSWORD'], safe='')}"
    port = f":{given['PORT']}" if given["PORT"] else ""
    return f"postgresql://{user}@{port}/{quote(given['NAME'])}?host={quote(given['HOST'], safe='')}"


def answers(url: str) -> bool:
    """Whether the address answers with success."""
    try:
        with urlopen(url, timeout=5) as response:  # an address of our own
            return bool(response.status == 200)
    except (URLError, OSError):
        return False
