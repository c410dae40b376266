"""`manage.py export_lorebook`: the live canon of a world as a lorebook file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from knowledge.lorebooks.detection import WRITTEN_FORMATS
from knowledge.lorebooks.files import convert_file, write_png_file
from knowledge.lorebooks.json_text import render_json
from knowledge.lorebooks.losses import Outcome
from knowledge.lorebooks.token_counts import count_book_tokens
from memoryproject.errors import DomainError
from reviews.change_requests.selectors.bulk_edits import ArticleFilter
from reviews.lorebooks.export_requests import choose_target
from reviews.lorebooks.selectors import export_domain
from tenancy.management.cli_lookup import get_world_or_exit

LINES_SHOWN = 40


class Command(BaseCommand):
    """Writes the book and says what its format does not keep."""

    help = "Write a world's live articles as a lorebook; public ones alone, unless --npc or --secrets."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, its format, and which articles go into it."""
        parser.add_argument("path", type=Path)
        parser.add_argument("--world", required=True)
        parser.add_argument("--tenant")
        parser.add_argument("--domain", default="lore")
        parser.add_argument(
            "--format",
            choices=[each.value for each in WRITTEN_FORMATS],
            help="left out: SillyTavern's, or the book's own",
        )
        parser.add_argument("--book", default="", help="only the articles of this imported book, as its file had them")
        parser.add_argument("--type", action="append", default=[], dest="types")
        parser.add_argument("--language", default="")
        parser.add_argument("--tag", action="append", default=[], dest="tags")
        parser.add_argument("--slug", action="append", default=[], dest="slugs")
        parser.add_argument("--npc", help="what this NPC may know, too")
        parser.add_argument("--secrets", action="store_true", help="secret articles, too")
        parser.add_argument("--dry-run", action="store_true", help="say what would be lost and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the file; a path that ends in .png becomes a picture. Raises CommandError."""
        world = get_world_or_exit(options["world"], options["tenant"])
        path: Path = options["path"]
        try:
            chosen = ArticleFilter(
                types=tuple(options["types"]),
                language=options["language"],
                tags=tuple(options["tags"]),
                slugs=tuple(options["slugs"]),
                book=options["book"],
            )
            file = export_domain(
                world_id=world.pk,
                world_slug=world.slug,
                domain=options["domain"],
                chosen=chosen,
                npc_id=options["npc"] or "",
                has_secrets=options["secrets"],
            )
            target = choose_target(file, options["format"], book=options["book"])
            converted = convert_file(file, target)
            is_picture = path.suffix.lower() == ".png"
            data = write_png_file(file, target) if is_picture else render_json(converted.document)
        except DomainError as error:
            raise CommandError(error.detail) from error
        lost = [loss for loss in converted.losses if loss.outcome is not Outcome.KEPT]
        tokens = count_book_tokens(file.book)
        self.stdout.write(f"{len(file.book.entries)} entries, {tokens.total} tokens, {len(lost)} losses")
        for loss in lost[:LINES_SHOWN]:
            self.stdout.write(f"  {loss.outcome.value}: {loss.title or 'the book'}: {loss.field} ({loss.why})")
        if options["dry_run"]:
            return
        try:
            path.write_bytes(data)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror or error}") from error
        self.stdout.write(f"Wrote {path}.")
