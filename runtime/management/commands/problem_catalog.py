"""`manage.py problem_catalog`: the catalog of errors as Markdown."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from memoryproject.problem_catalog import render_markdown


class Command(BaseCommand):
    """Writes `docs/errors.md` from the catalog that the service answers with."""

    help = "Write docs/errors.md from the catalog of errors."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        path = settings.BASE_DIR / "docs" / "errors.md"
        path.write_text(render_markdown(), encoding="utf-8")
        self.stdout.write(f"Wrote {path.relative_to(settings.BASE_DIR)}.")
