"""`manage.py restore_campaign`: a campaign of a JSON file into a world."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from episodes.transfer.campaign_files import load_campaign
from memoryproject.errors import DomainError
from tenancy.management.cli_lookup import get_world_or_exit


class Command(BaseCommand):
    """Tells a campaign anew in a world that does not have it."""

    help = "Bring back a campaign that export_campaign wrote, into a world that does not have it. All or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where from, and which world."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--tenant", required=True)
        parser.add_argument("--world", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Load the file."""
        world = get_world_or_exit(options["world"], options["tenant"])
        try:
            document = json.loads(options["file"].read_text(encoding="utf-8"))
            campaign = load_campaign(tenant_id=world.tenant_id, world_id=world.pk, document=document)
        except (DomainError, OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{campaign.external_id} is back, {campaign.state}, with {campaign.last_seq} entries.")
