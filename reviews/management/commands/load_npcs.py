"""Load NPC profiles from JSON files: all of them, or none. New NPCs are in force; changes go through review."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from memoryproject.errors import DomainError
from npcs.profiles.core.profiles import parse_profile
from reviews.core.actor import Actor
from reviews.npcs.actions.writes import load_npc
from reviews.selectors.actors import actor_of_user
from tenancy.management.cli_lookup import get_world_or_exit
from tenancy.models import World


class Command(BaseCommand):
    """`manage.py load_npcs PATH --world SLUG [--tenant SLUG]`."""

    help = "Load NPC profiles (schemas/npc_profile.schema.json) from a file or a folder of .json files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A path and the world."""
        parser.add_argument("path", type=Path)
        parser.add_argument("--world", required=True)
        parser.add_argument("--tenant")
        parser.add_argument(
            "--author", help="who proposes changes of NPCs that are there; needed while the world's npc_review is on"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Loads the files. Raises CommandError, which names the file and the place in it."""
        world = get_world_or_exit(options["world"], options["tenant"])
        path: Path = options["path"]
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not files:
            raise CommandError(f"There are no .json files in {path}.")
        author = find_author(world, options["author"]) if options["author"] else None
        with transaction.atomic():
            for file in files:
                self.stdout.write(f"{file.name}: {load_file(world, file, author)}")


def load_file(world: World, file: Path, author: Actor | None) -> str:
    """What came of one file. Raises CommandError."""
    try:
        profile = parse_profile(json.loads(file.read_text(encoding="utf-8")))
        written = load_npc(world=world, profile=profile, source=file.name, author=author)
    except (OSError, ValueError) as error:
        raise CommandError(f"{file.name}: {error}") from error
    except DomainError as error:
        raise CommandError(f"{file.name}: {error.detail}") from error
    if written.change_request_id is not None:
        return f"{written.npc_id} waits for a reviewer in change request #{written.change_request_id}"
    return f"{written.npc_id} {written.outcome}, persona version {written.persona_version}"


def find_author(world: World, name: str) -> Actor:
    """The person who proposes. Raises CommandError."""
    user = get_user_model().objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"There is no person {name!r}.")
    return actor_of_user(user, world.tenant_id)
