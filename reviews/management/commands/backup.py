"""``manage.py backup``: a world's canon to one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from knowledge.canon.models import DomainIndex
from reviews.management.cli_lookup import choose_index
from reviews.management.progress import ProgressLine
from reviews.releases.actions.archives import back_up_world
from tenancy.management.cli_lookup import get_world_or_exit


class Command(BaseCommand):
    """Writes documents, revisions, releases, chunks, ranges and golden queries; no keys, no people, no requests."""

    help = "Write a world's canon to one file that manage.py restore reads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to write, and where."""
        parser.add_argument("--world", required=True, metavar="SLUG")
        parser.add_argument("--tenant", metavar="SLUG", help="needed where several tenants have a world of that slug")
        parser.add_argument("--domain", help="one domain only (default: all that the world has)")
        parser.add_argument("--output", required=True, type=Path, metavar="FILE")
        parser.add_argument("--force", action="store_true", help="write over a file that is there")
        parser.add_argument("--with-vectors", action="store_true", help="larger, but restored without the embedder")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file and say what is in it."""
        world = get_world_or_exit(options["world"], options["tenant"])
        if options["domain"]:
            indexes = [choose_index(world, options["domain"])]
        else:
            indexes = list(DomainIndex.objects.filter(world=world).order_by("domain"))
        if not indexes:
            raise CommandError(f"World {world.slug!r} has no canon yet.")
        output: Path = options["output"]
        if output.exists() and not options["force"]:
            raise CommandError(f"{output} is there already; --force writes over it.")
        progress = ProgressLine(self.stderr, quiet=options["verbosity"] == 0)  # type: ignore[arg-type]
        try:
            manifest = back_up_world(
                output, indexes=indexes, with_vectors=options["with_vectors"], on_progress=progress
            )
        except OSError as error:
            raise CommandError(f"{output}: {error.strerror or error}") from error
        progress.clear()
        for domain, content in manifest["domains"].items():
            counts = ", ".join(f"{entry['rows']:,} {name}" for name, entry in content["tables"].items())
            self.stdout.write(f"{domain}: {counts}")
        self.stdout.write(f"{output}: {output.stat().st_size:,} bytes")
