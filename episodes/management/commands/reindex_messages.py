"""``manage.py reindex_messages``: stored messages indexed anew, after a change of analysis or BM25 settings."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from episodes.embedding.actions.reindex import MESSAGE_BATCH_SIZE, ReindexProgress, reindex_messages
from tenancy.models import Tenant


class Command(BaseCommand):
    """May be killed and repeated; vectors stay."""

    help = "Give stored messages the lexemes and BM25 weights that they would be stored with now. Vectors stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to index anew."""
        parser.add_argument("--tenant", metavar="SLUG", help="this tenant's messages only")
        parser.add_argument("--after", type=int, default=0, metavar="ID", help="go on behind this passage")
        parser.add_argument("--batch", type=int, default=MESSAGE_BATCH_SIZE, metavar="N", help="messages a transaction")

    def handle(self, *args: Any, **options: Any) -> None:
        """Index batch after batch and say after each where a later run would go on."""
        if not (options["after"] >= 0 and 1 <= options["batch"] <= 10_000):
            raise CommandError("--after is 0 or more, --batch lies between 1 and 10000.")
        tenant_id = None
        if options["tenant"]:
            tenant_id = Tenant.objects.filter(slug=options["tenant"]).values_list("pk", flat=True).first()
            if tenant_id is None:
                raise CommandError(f"There is no tenant {options['tenant']}.")
        progress = ReindexProgress(0, 0, options["after"])
        for progress in reindex_messages(tenant_id=tenant_id, after=options["after"], at_once=options["batch"]):
            self.stdout.write(
                f"{progress.looked_at:,} looked at, {progress.changed:,} changed; go on with --after {progress.last_id}"
            )
        self.stdout.write(f"Done: {progress.changed:,} of {progress.looked_at:,} messages indexed anew.")
