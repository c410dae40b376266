"""``manage.py reindex``: the live canon indexed and embedded anew, as a release like any other."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from knowledge.canon.models import DomainIndex
from memoryproject.errors import DomainError
from reviews.core.actor import SYSTEM
from reviews.management.cli_lookup import choose_actor, choose_index
from reviews.management.progress import ProgressLine
from reviews.releases.actions.reindex import Reindexed, refuse_closed_gate, reindex, swap_reindexed
from tenancy.management.cli_lookup import get_world_or_exit


class Command(BaseCommand):
    """After a change of model, dimensions, chunk sizes or analysis; or to be sure."""

    help = "Index and embed the live articles anew into a staged release, run its golden gate, and swap it if asked to."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to index anew."""
        parser.add_argument("--world", metavar="SLUG")
        parser.add_argument("--tenant", metavar="SLUG")
        parser.add_argument("--domain", help="one domain only (default: all of the world)")
        parser.add_argument("--all", action="store_true", help="every world (of the tenant, if one is named)")
        parser.add_argument("--swap", action="store_true", help="let it go live if the golden gate passes")
        parser.add_argument("--as", dest="username", metavar="USERNAME", help="whom the log names")

    def handle(self, *args: Any, **options: Any) -> None:
        """Index one domain after the other; one that fails does not stop the others, but the exit code tells."""
        indexes = self._choose(options)
        failed = 0
        for index in indexes:
            try:
                self._reindex(index, options)
            except DomainError as error:
                failed += 1
                self.stderr.write(f"{index}: {error.detail} [{error.code}]")
        if failed:
            raise CommandError(f"{failed} of {len(indexes)} not done.", returncode=1)

    def _choose(self, options: dict[str, Any]) -> list[DomainIndex]:
        if options["all"] == bool(options["world"]):
            raise CommandError("Say either --world SLUG or --all.")
        if options["world"]:
            world = get_world_or_exit(options["world"], options["tenant"])
            if options["domain"]:
                return [choose_index(world, options["domain"])]
            found = DomainIndex.objects.filter(world=world)
        else:
            found = DomainIndex.objects.filter(aliases__name="latest")
            if options["tenant"]:
                found = found.filter(tenant__slug=options["tenant"])
            if options["domain"]:
                found = found.filter(domain=options["domain"])
        indexes = list(found.select_related("world", "tenant").order_by("pk"))
        if not indexes:
            raise CommandError("There is nothing to index anew.")
        return indexes

    def _reindex(self, index: DomainIndex, options: dict[str, Any]) -> None:
        progress = ProgressLine(self.stderr, quiet=options["verbosity"] == 0)  # type: ignore[arg-type]
        actor = choose_actor(options["username"], index.tenant) if options["username"] else SYSTEM
        result = reindex(index=index, actor=actor, on_progress=progress)
        progress.clear()
        self.stdout.write(describe(index, result))
        if not options["swap"]:
            refuse_closed_gate(result)
            self.stdout.write(f"  Release {result.release.number} waits on the stage.")
            return
        refuse_closed_gate(result)
        release = swap_reindexed(release_id=result.release.pk, actor=actor)
        self.stdout.write(f"  Release {release.number} is live.")


def describe(index: DomainIndex, result: Reindexed) -> str:
    """What differs between the live release and its twin."""
    old, new = result.live, result.release
    lines = [f"{index}: release {new.number} beside {old.number}"]
    for name, before, after in (
        ("articles", old.document_count, new.document_count),
        ("passages", old.passage_count, new.passage_count),
        ("average length", round(old.length_pivot, 1), round(new.length_pivot, 1)),
        ("analysis", old.analysis_version, new.analysis_version),
        ("embedder", str(old.vector_space), str(new.vector_space)),
    ):
        lines.append(f"  {name}: {before}" + ("" if before == after else f" → {after}"))
    lines.append(
        f"  golden gate {new.gate_state}: {result.changed_queries} of {result.queries} queries find something else"
        if result.queries
        else f"  golden gate {new.gate_state}: no golden queries"
    )
    return "\n".join(lines)
