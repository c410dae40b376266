"""``manage.py ingest``: articles from Markdown and JSON files into a world's canon."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError

from knowledge.canon.actions import ensure_domain_index
from knowledge.canon.models import DomainIndex
from knowledge.canon.transfer.article_stream import ImportReader
from knowledge.canon.transfer.files import SourceFile, list_source_files
from knowledge.canon.transfer.mappings import read_mapping
from knowledge.canon.transfer.options import ReadOptions, Split
from knowledge.canon.transfer.report import OUTCOMES, ImportReport
from memoryproject.errors import DomainError
from reviews.change_requests.actions.bulk import ARTICLES_A_REQUEST
from reviews.change_requests.actions.imports import (
    find_unfinished_first_load,
    finish_first_load,
    load_first_release,
    preview_import,
    propose_import,
)
from reviews.core.actor import SYSTEM, Actor
from reviews.management.cli_lookup import (
    check_domain,
    choose_actor,
    choose_tenant_slug,
    find_index,
)
from reviews.management.progress import ProgressLine
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.management.cli_lookup import find_world, get_world_or_exit
from tenancy.models import World

REFUSALS_SHOWN = 20
FILES_SHOWN = 40


class Command(BaseCommand):
    """Reads files, says what is wrong with them, and loads or proposes what they hold."""

    help = (
        "Load articles from Markdown (with or without front matter), JSON and JSONL. With --initial they go live as "
        "the domain's first release; without it they become change requests."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to read, where to put it, and how."""
        parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files, or folders to read whole")
        parser.add_argument("--world", required=True, metavar="SLUG")
        parser.add_argument("--tenant", metavar="SLUG", help="needed where several tenants have a world of that slug")
        parser.add_argument("--domain", required=True, help="srd, lore, or another of config/knowledge.yaml")
        parser.add_argument(
            "--initial", action="store_true", help="the first load: straight to release 1, without review"
        )
        parser.add_argument(
            "--create-world", action="store_true", help="make the world if there is none (as --initial does)"
        )
        parser.add_argument("--dry-run", action="store_true", help="report, change nothing")
        parser.add_argument("--keep-going", action="store_true", help="import the rest when something is refused")
        parser.add_argument(
            "--only-new", action="store_true", help="refuse articles whose slug is live with another text"
        )
        parser.add_argument("--mapping", type=Path, metavar="FILE", help="YAML that maps foreign JSON to articles")
        parser.add_argument(
            "--language", default="", metavar="TAG", help="of articles that do not say (found out otherwise)"
        )
        parser.add_argument("--type", default="", help="of articles that do not say (rule for srd, article otherwise)")
        parser.add_argument("--source", default="", metavar="TEXT", help="attribution of articles that do not say")
        parser.add_argument("--split", choices=[each.value for each in Split], default=Split.AUTO.value,
                            help="Markdown without front matter: cut at headings, or one article a file")  # fmt: skip
        parser.add_argument("--title", default="", help="of the release or the change requests")
        parser.add_argument(
            "--as", dest="username", metavar="USERNAME", help="who proposes it (needed without --initial)"
        )
        parser.add_argument("--articles-a-request", type=int, default=ARTICLES_A_REQUEST, metavar="N")
        parser.add_argument("--report", type=Path, metavar="FILE", help="write the whole report there as JSON")
        parser.add_argument(
            "--resume", action="store_true", help="go on with an unfinished first load without reading again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the import; what is wrong is told in words and by the exit code."""
        report = ImportReport()
        progress = ProgressLine(self.stderr, quiet=options["verbosity"] == 0)  # type: ignore[arg-type]
        try:
            self._run(options, report, progress)
        except DomainError as error:
            progress.clear()
            self._show(report, options)
            raise CommandError(f"{error.detail} [{error.code}]", returncode=2) from error
        except ProgrammingError as error:
            raise CommandError(f"The database has no tables yet: run manage.py migrate first. ({error})") from error
        if report.total("refused"):
            raise CommandError(f"{report.total('refused')} refused.", returncode=1)

    def _run(self, options: dict[str, Any], report: ImportReport, progress: ProgressLine) -> None:
        domain = check_domain(options["domain"])
        if options["resume"]:
            self._resume(options, progress)
            return
        make_reader = self._prepare(options)
        if options["dry_run"]:
            index = find_index(find_world(options["world"], options["tenant"]), domain)
            preview_import(
                index=index, make_reader=make_reader, report=report, only_new=options["only_new"], on_progress=progress
            )
            progress.clear()
            report.outcome["dry_run"] = True
            self._show(report, options)
            return
        world = self._choose_world(options)
        index = ensure_domain_index(world_id=world.pk, domain=domain)
        actor = self._choose_actor(options, world)
        if options["initial"]:
            self._load(index, make_reader, report, actor, options, progress)
        else:
            self._propose(index, make_reader, report, actor, options, progress)

    def _prepare(self, options: dict[str, Any]) -> Callable[[], ImportReader]:
        if not options["paths"]:
            raise CommandError("Say which files or folders to read.")
        files: list[SourceFile] = list_source_files(options["paths"])
        if not files:
            raise CommandError("There are no Markdown or JSON files there.")
        if options["articles_a_request"] < 1:
            raise CommandError("--articles-a-request must be at least 1.")
        read_options = ReadOptions(
            domain=options["domain"],
            language=options["language"],
            type=options["type"],
            source=options["source"],
            split=Split(options["split"]),
            mapping=read_mapping(options["mapping"]) if options["mapping"] else None,
        )
        return lambda: ImportReader(files, read_options)

    def _choose_world(self, options: dict[str, Any]) -> World:
        world = find_world(options["world"], options["tenant"])
        if world is not None:
            return world
        if not (options["initial"] or options["create_world"]):
            return get_world_or_exit(options["world"], options["tenant"])
        tenant = ensure_tenant(slug=choose_tenant_slug(options["tenant"]))
        world = ensure_world(tenant_id=tenant.pk, slug=options["world"])
        self.stdout.write(f"World {world.slug!r} of tenant {tenant.slug!r} is new.")
        return world

    def _choose_actor(self, options: dict[str, Any], world: World) -> Actor:
        if options["username"]:
            return choose_actor(options["username"], world.tenant)
        if options["initial"]:
            return SYSTEM
        raise CommandError("Say with --as USERNAME who proposes the changes, or --initial for a first load.")

    def _load(
        self,
        index: DomainIndex,
        make_reader: Callable[[], ImportReader],
        report: ImportReport,
        actor: Actor,
        options: dict[str, Any],
        progress: ProgressLine,
    ) -> None:
        release = load_first_release(
            index=index,
            make_reader=make_reader,
            report=report,
            title=options["title"] or "First load",
            actor=actor,
            keep_going=options["keep_going"],
            on_progress=progress,
        )
        progress.clear()
        report.outcome["release"] = release.number
        self._show(report, options)
        self.stdout.write(
            f"Release {release.number} is live: {release.document_count:,} articles, "
            f"{release.passage_count:,} passages."
        )

    def _propose(
        self,
        index: DomainIndex,
        make_reader: Callable[[], ImportReader],
        report: ImportReport,
        actor: Actor,
        options: dict[str, Any],
        progress: ProgressLine,
    ) -> None:
        ids = propose_import(
            index=index,
            make_reader=make_reader,
            report=report,
            title=options["title"] or "Import",
            actor=actor,
            description=f"Imported from {', '.join(path.name for path in options['paths'])}."[:2000],
            keep_going=options["keep_going"],
            only_new=options["only_new"],
            articles_a_request=options["articles_a_request"],
            on_progress=progress,
        )
        progress.clear()
        report.outcome["change_requests"] = ids
        self._show(report, options)
        if ids:
            self.stdout.write(f"Change requests {', '.join(f'#{each}' for each in ids)} wait as drafts.")
        else:
            self.stdout.write("Everything is live as it is: no change request.")

    def _resume(self, options: dict[str, Any], progress: ProgressLine) -> None:
        world = get_world_or_exit(options["world"], options["tenant"])
        index = find_index(world, options["domain"])
        release = find_unfinished_first_load(index.pk) if index is not None else None
        if release is None:
            raise CommandError("No first load of this domain is unfinished.")
        release = finish_first_load(
            release, actor=self._choose_actor({**options, "initial": True}, world), on_progress=progress
        )
        progress.clear()
        self.stdout.write(f"Release {release.number} is live: {release.document_count:,} articles.")

    def _show(self, report: ImportReport, options: dict[str, Any]) -> None:
        """The report: in short on the screen, whole in the file."""
        if options["report"]:
            text = json.dumps(report.as_json(), ensure_ascii=False, indent=2) + "\n"
            options["report"].write_text(text, encoding="utf-8")
        if options["verbosity"] == 0 or not report.files:
            return
        many = len(report.files) > FILES_SHOWN and options["verbosity"] < 2
        for name, counts in report.files.items():
            if many and not counts.refused:
                continue
            parts = [f"{getattr(counts, each):,} {each}" for each in (*OUTCOMES, "refused") if getattr(counts, each)]
            self.stdout.write(f"  {name}: {', '.join(parts) or 'nothing'}")
        if many:
            self.stdout.write(f"  {len(report.files):,} files in all")
        for note in report.notes[:REFUSALS_SHOWN]:
            self.stdout.write(f"note: {note}")
        for refusal in report.refusals[:REFUSALS_SHOWN]:
            self.stderr.write(f"{refusal} [{refusal.code}]")
        if report.total("refused") > REFUSALS_SHOWN:
            self.stderr.write(f"… {report.total('refused') - REFUSALS_SHOWN:,} more refusals: see --report")
        totals = ", ".join(f"{report.total(each):,} {each}" for each in (*OUTCOMES, "refused"))
        languages = ", ".join(f"{name} {count:,}" for name, count in sorted(report.languages.items()))
        dry = "Dry run, nothing changed: " if report.outcome.get("dry_run") else ""
        self.stdout.write(f"{dry}{totals}" + (f" ({languages})" if languages else ""))
