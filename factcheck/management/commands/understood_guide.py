"""`manage.py understood_guide`: the page that shows what is understood, out of labelled lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from factcheck.instant.core.extraction import extract_facts
from factcheck.instant.core.labelled_lines import SAID_AT, read_labelled_lines
from factcheck.instant.core.messages import fold
from factcheck.instant.core.pattern_sets import load_shipped
from factcheck.instant.core.understood_guide import render_guide

GUIDE = Path("docs") / "guides" / "understood.md"
FILES = ("everyday.jsonl", "statements.jsonl")


class Command(BaseCommand):
    """The page holds only what the shipped patterns hear right: write it anew when they or the lines change."""

    help = "Write docs/guides/understood.md: examples of what is understood, by fact type and language."

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the file."""
        path = Path(settings.BASE_DIR) / GUIDE
        path.write_text(render_shipped_guide(), encoding="utf-8")
        self.stdout.write(f"{GUIDE} written")


def render_shipped_guide() -> str:
    """The page of what ships."""
    folder = Path(settings.BASE_DIR) / "qa" / "facts"
    compiled, concepts = load_shipped()
    return render_guide(
        read_labelled_lines([folder / name for name in FILES]),
        lambda text: extract_facts(text, compiled=compiled, concepts=concepts, now=SAID_AT),
        lambda text: bool(compiled.match(fold(text))),
        concepts,
    )
