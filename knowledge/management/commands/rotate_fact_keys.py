"""`manage.py rotate_fact_keys`: encrypt all facts anew under the first key of FACT_KEYS."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from knowledge.errors import FactKeysMissing
from knowledge.facts.actions import rotate_fact_keys


class Command(BaseCommand):
    """Run it after a new key was put first in FACT_KEYS; then the old key may be taken out."""

    help = "Encrypt all facts anew under the first key of FACT_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        """Rotate, and say how many facts were encrypted anew."""
        try:
            done = rotate_fact_keys()
        except FactKeysMissing as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{done} facts encrypted anew.")
