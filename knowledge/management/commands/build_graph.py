"""``manage.py build_graph``: the graph of a world's canon derived anew from its publications."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from knowledge.canon.actions.release_rows import rebuild_release_rows
from knowledge.canon.models import DomainIndex
from tenancy.management.cli_lookup import get_world_or_exit


class Command(BaseCommand):
    """May be repeated: the same publications give the same graph. What editors and play added stays."""

    help = "Derive the graph of a world's canon anew, for all its releases."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which world."""
        parser.add_argument("--world", required=True, metavar="SLUG")
        parser.add_argument("--tenant", metavar="SLUG", help="where several tenants have such a world")

    def handle(self, *args: Any, **options: Any) -> None:
        """One transaction a domain."""
        world = get_world_or_exit(options["world"], options["tenant"])
        for index in DomainIndex.objects.filter(world=world).order_by("domain"):
            self.stdout.write(f"{index.domain}: {rebuild_release_rows(index.pk):,} names and relations.")
