"""`manage.py rebuild_events`: what talk came to, once more from messages, kept answers and people's edits."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from factcheck.plots.actions.rebuild import list_rebuildable, rebuild_events
from tenancy.models import Tenant, World


class Command(BaseCommand):
    """A conversation at a time: it may be stopped and run again. No model is asked. It prints no words."""

    help = "Gate, render and index events anew from their messages and kept answers; people's edits stay."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose events, and whether to change any."""
        parser.add_argument("--tenant", required=True, help="The tenant's slug.")
        parser.add_argument("--world", help="One world, by its slug; else all.")
        parser.add_argument("--dry-run", action="store_true", help="Only say what would change.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuilds; a line for each conversation that differs, and the sums."""
        tenant = Tenant.objects.filter(slug=options["tenant"]).first()
        if tenant is None:
            raise CommandError(f"There is no tenant {options['tenant']!r}.")
        world = None
        if options["world"]:
            world = World.objects.filter(tenant=tenant, slug=options["world"]).first()
            if world is None:
                raise CommandError(f"There is no world {options['world']!r}.")
        sums: Counter[str] = Counter()
        conversations = list_rebuildable(tenant_id=tenant.pk, world_id=None if world is None else world.pk)
        for pk in conversations:
            report = rebuild_events(conversation_id=pk, dry_run=options["dry_run"])
            sums.update(report.counts)
            if report.counts["changed"] or report.counts["failed"]:
                told = ", ".join(f"{count} {name}" for name, count in sorted(report.counts.items()))
                self.stdout.write(f"conversation {pk}: {told}")
        would = "would be " if options["dry_run"] else ""
        self.stdout.write(
            f"{len(conversations)} conversations: {sums['changed']} {would}changed, {sums['unchanged']} unchanged, "
            f"{sums['failed']} no longer pass the gate and stay as they are"
        )
