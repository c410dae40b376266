"""`manage.py import_lorebook`: a lorebook or character card becomes a change request."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from knowledge.lorebooks.files import LoreFile, read_lore_file
from knowledge.lorebooks.limits import MAX_FILE_BYTES
from memoryproject.errors import DomainError
from reviews.lorebooks.actions import import_lorebook
from reviews.lorebooks.core.articles import ImportDefaults
from reviews.lorebooks.plans import LorebookImport, list_unkept, plan_import
from reviews.management.cli_lookup import check_domain, choose_actor, find_index
from tenancy.management.cli_lookup import get_world_or_exit

LINES_SHOWN = 40


class Command(BaseCommand):
    """Reads any format by its shape, says what becomes of each entry, and proposes it."""

    help = "Propose a lorebook or card (SillyTavern, V1 to V3, RisuAI, NovelAI, Agnai; JSON or PNG) as canon."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, where it goes, and what new articles have that entries do not say."""
        parser.add_argument("path", type=Path)
        parser.add_argument("--world", required=True)
        parser.add_argument("--tenant")
        parser.add_argument("--domain", default="lore")
        parser.add_argument("--author", help="who proposes; not needed with --dry-run")
        parser.add_argument("--title", default="")
        parser.add_argument("--type", default="article", help="type of new articles")
        parser.add_argument("--language", default="", help="language of new articles; told from each text if left out")
        parser.add_argument("--tag", action="append", default=[], dest="tags")
        parser.add_argument("--audience", action="append", default=[], help="npc:… or faction:…; public if left out")
        parser.add_argument("--with-disabled", action="store_true", help="import disabled entries, too")
        parser.add_argument("--draft", action="store_true", help="keep the change request a draft")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Proposes the file. Raises CommandError, with the JSON pointer of what is wrong in it."""
        world = get_world_or_exit(options["world"], options["tenant"])
        domain = check_domain(options["domain"])
        defaults = ImportDefaults(
            options["type"], options["language"], tuple(options["tags"]), tuple(options["audience"]) or "public"
        )
        shared = {"defaults": defaults, "with_disabled": options["with_disabled"], "book_name": options["path"].stem}
        try:
            file = read_path(options["path"])
            if options["dry_run"]:
                done = plan_import(find_index(world, domain), file, **shared)
            else:
                if not options["author"]:
                    raise CommandError("Say with --author who proposes, or look first with --dry-run.")
                done = import_lorebook(
                    actor=choose_actor(options["author"], world.tenant),
                    world_id=world.pk,
                    domain=domain,
                    file=file,
                    title=options["title"],
                    is_draft=options["draft"],
                    **shared,
                )
        except DomainError as error:
            raise CommandError(error.detail) from error
        self._report(done, file)

    def _report(self, done: LorebookImport, file: LoreFile) -> None:
        counts = ", ".join(f"{count} {outcome}" for outcome, count in done.count().items() if count)
        self.stdout.write(f"{file.format.value}, {len(file.book.entries)} entries: {counts or 'nothing'}")
        losses = list_unkept(done, file.book)
        for loss in losses[:LINES_SHOWN]:
            self.stdout.write(f"  not kept: {loss.title or loss.entry}: {loss.field} ({loss.why})")
        if len(losses) > LINES_SHOWN:
            self.stdout.write(f"  … and {len(losses) - LINES_SHOWN} more")
        for request_id in done.change_request_ids:
            self.stdout.write(f"change request #{request_id}")
        if not done.change_request_ids:
            self.stdout.write("Nothing was written.")


def read_path(path: Path) -> LoreFile:
    """The file's book; a file too large is refused before it is read. Raises CommandError, CardInvalid."""
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise CommandError(f"{path} has {size} bytes; {MAX_FILE_BYTES} are taken.")
        return read_lore_file(path.read_bytes())
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error
