"""``manage.py demo``: the whole service with a sample world on this machine."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from devtools.demo.banner import render_banner
from devtools.demo.load import load_sample_world
from devtools.demo.lock import DemoRunning
from devtools.demo.ports import DEFAULT_PORT, find_free_port, is_free
from devtools.demo.run import DemoFailed, run_demo
from devtools.embedded import EmbeddedServiceError
from devtools.supervisor import StopRequested
from memoryproject.errors import DomainError


def log_to_file(path: Path) -> None:
    """The records of this process go where those of its children are: the console is for people."""
    path.parent.mkdir(parents=True, exist_ok=True)
    stream = path.open("a", buffering=1)
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler) and not isinstance(handler, logging.FileHandler):
            handler.setStream(stream)


def describe_sample(url: str) -> str:
    """The sample world in place, and what to print about it."""
    return render_banner(load_sample_world(), url)


class Command(BaseCommand):
    """Starts everything and runs until Ctrl-C."""

    help = "Run the whole service with a sample world: PostgreSQL, Redis, web, worker and scheduler. Ctrl-C ends it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to listen, and whether to start afresh."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, help=f"port to listen on ({DEFAULT_PORT}, or the next free one)")
        parser.add_argument("--reset", action="store_true", help="empty the demo's database and Redis first")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the demo; its failures are told in words."""
        if settings.PRODUCTION:
            raise CommandError("The demo makes sample people and keys. It does not run in production.")
        host = options["host"]
        log_to_file(Path(settings.DATA_DIR) / "logs" / "demo.log")
        try:
            run_demo(
                host=host,
                port=self._choose_port(host, options["port"]),
                reset=options["reset"],
                announce=self._announce,
                describe=describe_sample,
            )
        except StopRequested:
            return
        except DemoRunning as error:
            raise CommandError(f"A demo already runs here: {error.description}. End it with Ctrl-C there.") from error
        except (DemoFailed, EmbeddedServiceError, DomainError) as error:
            raise CommandError(str(error)) from error

    def _choose_port(self, host: str, wanted: int | None) -> int:
        if wanted is not None:
            if not 0 < wanted < 65536:
                raise CommandError(f"--port must be between 1 and 65535, not {wanted}")
            if not is_free(host, wanted):
                raise CommandError(f"Port {wanted} is taken. Choose another with --port, or leave --port out.")
            return wanted
        port = find_free_port(host)
        if port is None:
            raise CommandError(f"Ports {DEFAULT_PORT} and up are taken. Choose one with --port.")
        if port != DEFAULT_PORT:
            self._announce(f"Port {DEFAULT_PORT} is taken; using {port}.")
        return port

    def _announce(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
