"""Golden queries: `manage.py golden import|export|run`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from knowledge.canon.actions import ensure_domain_index
from knowledge.canon.models import DomainIndex
from memoryproject.errors import DomainError
from reviews.core.actor import SYSTEM
from reviews.golden.actions.gate import run_golden
from reviews.golden.actions.queries import export_golden_queries, import_golden_queries
from reviews.golden.selectors import ResultRow, report_run
from reviews.models import GoldenRun, GoldenRunState
from tenancy.management.cli_lookup import get_world_or_exit
from tenancy.models import World

FOLDER = Path("qa") / "memory_retrieval_golden"
METRIC_NAMES = {"ndcg": "nDCG", "recall": "recall", "rr": "RR", "must_hit": "must-hit"}


class Command(BaseCommand):
    """Golden queries live as JSON beside the code, and as rows that editors change."""

    help = "Import, export and run golden queries."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The three verbs; each needs a world and a domain."""
        verbs = parser.add_subparsers(dest="verb", required=True, title="verbs")
        bring = verbs.add_parser("import", help="make the domain's golden queries those of a file")
        bring.add_argument(
            "path", nargs="?", help="the JSON file; qa/memory_retrieval_golden/WORLD.DOMAIN.json if left out"
        )
        bring.add_argument("--reason", default="", help="why queries that are there are changed or switched off")
        take = verbs.add_parser("export", help="write the domain's golden queries to a file")
        take.add_argument("path", nargs="?", help="the JSON file, or - for the screen; the same default")
        run = verbs.add_parser("run", help="run them against a release; exit 1 if any fails")
        run.add_argument("--release", type=int, help="the release's number; the live one if left out")
        run.add_argument("--json", action="store_true", help="print the whole report as JSON")
        for verb in (bring, take, run):
            verb.add_argument("--tenant", help="slug of the tenant; needed if several have a world of that slug")
            verb.add_argument("--world", required=True, help="slug of the world")
            verb.add_argument("--domain", required=True, help="a domain of config/knowledge.yaml, for example lore")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one verb."""
        try:
            world = get_world_or_exit(options["world"], options["tenant"])
            getattr(self, f"_{options['verb']}")(world, options)
        except DomainError as error:
            for problem in error.extra.get("errors", ()):
                self.stderr.write(f"{problem['path']}: {problem['message']}")
            raise CommandError(error.detail) from error

    def _import(self, world: World, options: dict[str, Any]) -> None:
        path = _path(world, options)
        try:
            queries = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CommandError(f"{path}: {error}") from error
        index = ensure_domain_index(world_id=world.pk, domain=options["domain"])
        counts = import_golden_queries(
            actor=SYSTEM, domain_index_id=index.pk, queries=queries, reason=options["reason"]
        )
        self.stdout.write(
            f"{counts.created} new, {counts.updated} changed, {counts.unchanged} as they were, "
            f"{counts.retired} switched off."
        )
        if counts.proposed:
            self.stdout.write(
                f"{counts.proposed} can close a gate: their changes wait for a reviewer under Golden changes."
            )

    def _export(self, world: World, options: dict[str, Any]) -> None:
        entries = export_golden_queries(domain_index_id=_get_index(world, options["domain"]).pk)
        text = json.dumps(entries, ensure_ascii=False, indent=2) + "\n"
        if options["path"] == "-":
            self.stdout.write(text, ending="")
            return
        path = _path(world, options)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from error
        self.stdout.write(f"{len(entries)} golden queries written to {path.name}.")

    def _run(self, world: World, options: dict[str, Any]) -> None:
        index = _get_index(world, options["domain"])
        run = run_golden(actor=SYSTEM, domain_index_id=index.pk, number=options["release"])
        self._print_json(run) if options["json"] else self._print_table(run)
        if run.state != GoldenRunState.PASSED:
            raise CommandError(f"{run.metrics['failed']} of {run.metrics['queries']} golden queries failed.")

    def _print_table(self, run: GoldenRun) -> None:
        report = report_run(run)
        for row in report.rows:
            self.stdout.write(f"{'ok  ' if row.result.passed else 'FAIL'} {row.result.key}{_explain(row)}")
        for name, label in METRIC_NAMES.items():
            if name in run.metrics:
                delta = f" ({report.deltas[name]:+.3f} against live)" if name in report.deltas else ""
                self.stdout.write(f"{label}: {run.metrics[name]:.3f}{delta}")
        for remark in filter(None, [run.note, *run.degraded]):
            self.stdout.write(f"note: {remark}")

    def _print_json(self, run: GoldenRun) -> None:
        report = report_run(run)
        rows = [
            {
                "id": row.result.key,
                "passed": row.result.passed,
                "problem": row.result.problem,
                "found": row.result.found,
                "missed": row.result.missed,
                "forbidden": row.result.forbidden,
                "metrics": row.result.metrics,
                "deltas": row.deltas,
            }
            for row in report.rows
        ]
        document = {
            "release": run.release.number,
            "state": run.state,
            "metrics": run.metrics,
            "deltas": report.deltas,
            "degraded": run.degraded,
            "note": run.note,
            "queries": rows,
        }
        self.stdout.write(json.dumps(document, ensure_ascii=False, indent=2))


def _explain(row: ResultRow) -> str:
    result = row.result
    parts = [result.problem]
    parts += [f"missed {', '.join(result.missed)}"] if result.missed else []
    parts += [f"must not find {', '.join(result.forbidden)}"] if result.forbidden else []
    text = "; ".join(filter(None, parts))
    return f": {text}" if text else ""


def _get_index(world: World, domain: str) -> DomainIndex:
    index = DomainIndex.objects.filter(world=world, domain=domain).first()
    if index is None:
        raise CommandError(f"The world {world.slug!r} has nothing in domain {domain!r}.")
    return index


def _path(world: World, options: dict[str, Any]) -> Path:
    given = options["path"]
    return Path(given) if given else Path(settings.BASE_DIR) / FOLDER / f"{world.slug}.{options['domain']}.json"
