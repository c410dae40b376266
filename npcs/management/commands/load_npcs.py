"""Load NPC profiles from JSON files: all of them, or none."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from memoryproject.errors import DomainError
from npcs.actions import write_profile
from npcs.core.profiles import parse_profile
from tenancy.management.choosing import choose_world
from tenancy.models import World


class Command(BaseCommand):
    """`manage.py load_npcs PATH --world SLUG [--tenant SLUG]`."""

    help = "Load NPC profiles (schemas/npc_profile.schema.json) from a file or a folder of .json files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A path and the world."""
        parser.add_argument("path", type=Path)
        parser.add_argument("--world", required=True)
        parser.add_argument("--tenant")

    def handle(self, *args: Any, **options: Any) -> None:
        """Loads the files. Raises CommandError, which names the file and the place in it."""
        world = choose_world(options["world"], options["tenant"])
        path: Path = options["path"]
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not files:
            raise CommandError(f"There are no .json files in {path}.")
        with transaction.atomic():
            for file in files:
                self.stdout.write(f"{file.name}: {load_file(world, file)}")


def load_file(world: World, file: Path) -> str:
    """What came of one file. Raises CommandError."""
    try:
        profile = parse_profile(json.loads(file.read_text(encoding="utf-8")))
        written = write_profile(
            tenant_id=world.tenant_id, world_id=world.pk, profile=profile, author=f"load_npcs {file.name}"
        )
    except (OSError, ValueError) as error:
        raise CommandError(f"{file.name}: {error}") from error
    except DomainError as error:
        raise CommandError(f"{file.name}: {error.detail}") from error
    return f"{written.npc_id} {written.outcome}, persona version {written.persona_version}"
