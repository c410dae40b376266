"""Brings the pattern sets that ship with the product into the tables."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from factcheck.patterns.actions.files import load_shipped_pattern_sets

SHOWN = 20


class Command(BaseCommand):
    """Idempotent: run it after every upgrade."""

    help = "Load or update the shipped patterns and concepts; rows that people edited stay, unless --reset."

    def add_arguments(self, parser: CommandParser) -> None:
        """One switch."""
        parser.add_argument("--reset", action="store_true", help="Undo people's edits of shipped rows, too.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Loads, and says what changed."""
        report = load_shipped_pattern_sets(reset=options["reset"])
        for word in ("created", "updated", "removed", "kept"):
            names = getattr(report, word)
            if names:
                more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
                self.stdout.write(f"{word} {len(names)}: {', '.join(names[:SHOWN])}{more}")
        self.stdout.write(f"unchanged {len(report.unchanged)}")
