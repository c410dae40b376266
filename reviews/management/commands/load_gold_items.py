"""`manage.py load_gold_items`: the items with a known answer that labellers meet now and then."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memoryproject.errors import DomainError
from reviews.labelling.actions.gold import SHIPPED_GOLD, load_gold_items, parse_gold_file


class Command(BaseCommand):
    """Makes the gold items those of a file. Items that are no longer in it are drawn no more."""

    help = "Load the gold items of labelling from a file of JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which file."""
        parser.add_argument("path", nargs="?", type=Path, help=f"JSON lines; {SHIPPED_GOLD} if left out")

    def handle(self, *args: Any, **options: Any) -> None:
        """Loads, and says what changed."""
        path = options["path"] or Path(settings.BASE_DIR) / SHIPPED_GOLD
        try:
            loaded = load_gold_items(parse_gold_file(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise CommandError(f"The file cannot be read: {error}") from error
        except DomainError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{loaded.added} added, {loaded.changed} changed, {loaded.retired} retired")
