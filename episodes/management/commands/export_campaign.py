"""`manage.py export_campaign`: one campaign into one JSON file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from episodes.transfer.campaign_files import export_campaign
from memoryproject.errors import DomainError
from tenancy.management.cli_lookup import get_world_or_exit


class Command(BaseCommand):
    """Writes all that was told of a campaign into a file."""

    help = "Write a campaign into a JSON file, from which restore_campaign brings it back."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which campaign, and where to."""
        parser.add_argument("campaign", help="The engine's id of the campaign.")
        parser.add_argument("file", type=Path)
        parser.add_argument("--tenant", required=True)
        parser.add_argument("--world", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        world = get_world_or_exit(options["world"], options["tenant"])
        try:
            document = export_campaign(tenant_id=world.tenant_id, world_id=world.pk, campaign_id=options["campaign"])
            text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
            options["file"].write_text(text, encoding="utf-8")
        except (DomainError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{len(document['entries'])} entries of {options['campaign']} in {options['file']}.")
