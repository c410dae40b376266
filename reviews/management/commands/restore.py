"""``manage.py restore``: a backup back into the database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryproject.errors import DomainError
from reviews.management.progress import ProgressLine
from reviews.releases.actions.archives import restore_world


class Command(BaseCommand):
    """Restores into domains without releases only; all or nothing."""

    help = "Restore a world's canon from a file of manage.py backup."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to restore, and where to."""
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--as-world", metavar="SLUG", help="another world than the one that was backed up")
        parser.add_argument("--tenant", metavar="SLUG", help="another tenant than the one that was backed up")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore and say what came back."""
        progress = ProgressLine(self.stderr, quiet=options["verbosity"] == 0)  # type: ignore[arg-type]
        try:
            world, restored = restore_world(
                options["file"],
                tenant_slug=options["tenant"],
                world_slug=options["as_world"],
                on_progress=progress,
            )
        except DomainError as error:
            progress.clear()
            raise CommandError(f"{error.detail} [{error.code}]", returncode=2) from error
        progress.clear()
        for each in restored:
            self.stdout.write(
                f"{each.index.domain}: {each.documents:,} documents, {each.passages:,} passages"
                + (f", {each.without_vector:,} of them wait for their vector" if each.without_vector else "")
            )
        self.stdout.write(f"World {world.slug!r} of tenant {world.tenant.slug!r} is restored.")
