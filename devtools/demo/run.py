"""Runs the demo: services, migrations, sample world, then web, worker and beat until Ctrl-C."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connections

from devtools import embedded
from devtools.demo.lock import acquire_demo_lock
from devtools.supervisor import (
    ChildSpec,
    StopRequested,
    Supervisor,
    ignore_stop_signals,
    raise_on_stop_signals,
    read_last_lines,
)
from factcheck.patterns.actions.files import load_shipped_pattern_sets

READY_TIMEOUT_SECONDS = 90
TICK_SECONDS = 0.5
SERVICE_CHECK_SECONDS = 3.0
LAST_USERS_SECONDS = 5.0
"""A killed pool process of the worker needs a moment to let go of the services."""

Announce = Callable[[str], None]


class DemoFailed(Exception):
    """The demo could not start; the message says why."""


def run_demo(*, host: str, port: int, reset: bool, announce: Announce, describe: Callable[[str], str]) -> None:
    """Run until told to stop. Returns when everything that it started has ended.

    ``describe`` loads the sample world and returns what to print for a base URL.
    Raises ``DemoRunning`` when this data directory has a demo already, ``DemoFailed`` when it can't start.
    """
    data_dir = Path(settings.DATA_DIR)
    raise_on_stop_signals()
    url = f"http://{'localhost' if host in {'127.0.0.1', '0.0.0.0'} else host}:{port}"  # noqa: S104
    with acquire_demo_lock(data_dir) as lock_path:
        supervisor = Supervisor(build_children(data_dir, host=host, port=port), announce=announce)
        try:
            banner = prepare(data_dir, url=url, reset=reset, announce=announce, describe=describe)
            announce("Starting the web process, the worker and the scheduler ...")
            supervisor.start()
            wait_until_ready(supervisor, f"http://{_loopback(host)}:{port}/readyz")
            lock_path.write_text(f"{url} (process {os.getpid()})")
            announce(banner)
            keep_running(supervisor, data_dir, announce)
        except StopRequested:
            announce("\nStopping ...")
        finally:
            ignore_stop_signals()
            supervisor.stop()
            stop_services(data_dir)
    announce("Stopped.")


def build_children(data_dir: Path, *, host: str, port: int) -> list[ChildSpec]:
    """Web, worker and beat, each logging to a file of its own."""
    metrics_dir = data_dir / "run" / "metrics"
    shutil.rmtree(metrics_dir, ignore_errors=True)
    metrics_dir.mkdir(parents=True)
    python = [sys.executable, "-m"]
    celery = [*python, "celery", "--app", "memoryproject"]
    commands = {
        # One process serves one visitor: a second would compile all patterns beside it.
        "web": [*python, "memoryproject.web", "--host", host, "--port", str(port), "--workers", "1"],
        "worker": [
            *celery, "worker", "--concurrency", "2", "--hostname", "demo@%h", "--loglevel", "INFO",
            "--without-gossip", "--without-mingle",
        ],
        "beat": [*celery, "beat", "--loglevel", "INFO", "--pidfile="],
    }  # fmt: skip
    return [
        ChildSpec(
            name=name,
            command=command,
            log_path=data_dir / "logs" / f"{name}.log",
            environment={
                "MEMORY37_PROCESS": name,
                "PROMETHEUS_MULTIPROC_DIR": str(metrics_dir),
                "PYTHONUNBUFFERED": "1",
                "CELERY_SKIP_CHECKS": "1",  # the demo's own command has made them: two seconds a process
            },
        )
        for name, command in commands.items()
    ]


def prepare(data_dir: Path, *, url: str, reset: bool, announce: Announce, describe: Callable[[str], str]) -> str:
    """Services run, the schema is current, static files and the sample world are in place; returns the banner."""
    if settings.EMBEDDED_POSTGRES:
        announce("Starting PostgreSQL ...")
        embedded.ensure_postgres(data_dir, durable=settings.EMBEDDED_POSTGRES_DURABLE)
    if settings.EMBEDDED_REDIS:
        announce("Starting Redis ...")
        embedded.ensure_redis(data_dir)
    if reset:
        reset_data(data_dir)
    announce("Migrating the database ...")
    call_command("migrate", interactive=False, verbosity=0)
    load_shipped_pattern_sets()
    call_command("collectstatic", interactive=False, verbosity=0)
    announce("Loading the sample world ...")
    banner = describe(url)
    connections.close_all()
    return banner


def reset_data(data_dir: Path) -> None:
    """Empty the embedded database and Redis. Refuses servers that are not the demo's own."""
    if not (settings.EMBEDDED_POSTGRES and settings.EMBEDDED_REDIS):
        raise DemoFailed("--reset empties embedded services only; DATABASE_URL or REDIS_URL names a server of yours.")
    embedded.reset_database(data_dir)
    embedded.reset_redis(data_dir)


def wait_until_ready(supervisor: Supervisor, probe_url: str) -> None:
    """Returns when the web process is ready. Raises DemoFailed when a child ends first or it takes too long."""
    deadline = time.monotonic() + READY_TIMEOUT_SECONDS
    state = "no answer"
    while time.monotonic() < deadline:
        dead = supervisor.find_dead()
        if dead is not None:
            raise DemoFailed(
                f"The {dead.spec.name} process ended at once. Its log ({dead.spec.log_path}) ends with:\n"
                f"{read_last_lines(dead.spec.log_path)}"
            )
        try:
            with urllib.request.urlopen(probe_url, timeout=5):  # noqa: S310  our own loopback address
                return
        except urllib.error.HTTPError as error:
            state = _read_detail(error)
        except OSError as error:
            state = str(error)
        time.sleep(0.2)
    raise DemoFailed(f"The web process was not ready after {READY_TIMEOUT_SECONDS} s: {state}")


def _read_detail(error: urllib.error.HTTPError) -> str:
    """What a problem document says; another program on the port sends none."""
    try:
        return str(json.loads(error.read())["detail"])
    except (ValueError, KeyError, TypeError):
        return f"HTTP {error.code}, which is not ours: does another program listen there?"


def keep_running(supervisor: Supervisor, data_dir: Path, announce: Announce) -> None:
    """Restart what ends, services first, until a stop signal raises StopRequested."""
    next_service_check = 0.0
    while True:
        if time.monotonic() >= next_service_check:
            revive_services(data_dir, announce)
            next_service_check = time.monotonic() + SERVICE_CHECK_SECONDS
        supervisor.tick()
        time.sleep(TICK_SECONDS)


def revive_services(data_dir: Path, announce: Announce) -> None:
    """Start an embedded service again that died."""
    try:
        if settings.EMBEDDED_POSTGRES and embedded.revive_postgres(
            data_dir, durable=settings.EMBEDDED_POSTGRES_DURABLE
        ):
            announce("PostgreSQL had ended; it runs again.")
        if settings.EMBEDDED_REDIS and embedded.revive_redis(data_dir):
            announce("Redis had ended; it runs again.")
    except embedded.EmbeddedServiceError as error:
        announce(f"{error}\nTrying again.")


def stop_services(data_dir: Path) -> None:
    """Stop the embedded services, unless another process still uses them."""
    connections.close_all()
    embedded.release_redis(data_dir, patience_seconds=LAST_USERS_SECONDS)
    embedded.release_postgres(data_dir, patience_seconds=LAST_USERS_SECONDS)


def _loopback(host: str) -> str:
    return "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104
