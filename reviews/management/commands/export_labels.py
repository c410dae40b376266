"""`manage.py export_labels`: messages whose facts reviewers know, as lines to fit hearing by."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryproject.errors import DomainError
from reviews.labelling.selectors.golden_cases import list_cases
from reviews.labelling.selectors.labelled_lines import list_labelled_lines
from tenancy.models import Tenant


class Command(BaseCommand):
    """Writes JSON lines to the screen: players' own words, so mind where they go. Nothing of what was forgotten."""

    help = "Export labelled messages of a tenant (text, context, expect), or its golden cases, as JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whose labels, and which."""
        parser.add_argument("--tenant", required=True, help="slug of the tenant")
        parser.add_argument("--golden", action="store_true", help="the golden cases, redacted, instead")

    def handle(self, *args: Any, **options: Any) -> None:
        """One line a message."""
        tenant = Tenant.objects.filter(slug=options["tenant"]).first()
        if tenant is None:
            raise CommandError(f"There is no tenant {options['tenant']!r}.")
        count = 0
        try:
            lines = (
                (case.line for case in list_cases(tenant.pk).iterator(chunk_size=500))
                if options["golden"]
                else list_labelled_lines(tenant.pk)
            )
            for line in lines:
                self.stdout.write(json.dumps(line, ensure_ascii=False))
                count += 1
        except DomainError as error:
            raise CommandError(error.detail) from error
        self.stderr.write(f"{count} lines")
