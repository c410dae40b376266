"""`manage.py rebuild_facts`: what is known of players, once more from what they said."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from factcheck.rebuild.actions.rebuild import RebuildReport, rebuild_facts
from knowledge.errors import FactKeysMissing
from tenancy.models import EndUser, Tenant

KINDS = ("added", "changed", "ended", "disputes", "unheard")


class Command(BaseCommand):
    """A user at a time, each in a transaction of its own: it may be stopped and run again. It prints no words."""

    help = "Rebuild facts about players from their messages by the patterns of today; people's decisions stay."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose facts, and whether to change any."""
        parser.add_argument("--tenant", required=True, help="The tenant's slug.")
        parser.add_argument("--user", help="One player, by the tenant's id; else all.")
        parser.add_argument("--after", type=int, default=0, metavar="NUMBER", help="Go on after this number of a user.")
        parser.add_argument("--dry-run", action="store_true", help="Only say what would change.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuilds, a line for each user who differs, and the sums."""
        users = self._find_users(options["tenant"], options["user"], options["after"])
        sums: Counter[str] = Counter()
        for pk, tenant_id in users.order_by("pk").values_list("pk", "tenant_id").iterator(chunk_size=1000):
            try:
                report = rebuild_facts(tenant_id=tenant_id, end_user_id=pk, dry_run=options["dry_run"])
            except FactKeysMissing as error:
                raise CommandError(f"User {pk}: {error.detail}") from error
            sums.update({kind: len(getattr(report.differences, kind)) for kind in KINDS})
            sums.update(users=1, unchanged=report.differences.unchanged)
            if not report.differences.is_none or report.differences.unheard:
                self.stdout.write(_render_report(report))
        would = "would be " if options["dry_run"] else ""
        told = ", ".join(f"{sums[kind]} {'' if kind == 'unheard' else would}{kind}" for kind in KINDS)
        self.stdout.write(f"{sums['users']} users: {told}, {sums['unchanged']} unchanged")

    def _find_users(self, tenant: str, user: str | None, after: int) -> Any:
        found = Tenant.objects.filter(slug=tenant).first()
        if found is None:
            raise CommandError(f"There is no tenant {tenant!r}.")
        users = EndUser.objects.filter(tenant=found, pk__gt=after)
        if user is None:
            return users
        users = users.filter(external_id=user)
        if not users.exists():
            raise CommandError("There is no such user.")
        return users


def _render_report(report: RebuildReport) -> str:
    """A user's differences by type of fact, without keys and values."""
    told = []
    for kind in KINDS:
        types = Counter(type_ for type_, _ in getattr(report.differences, kind))
        told += [f"{kind} {type_} × {count}" for type_, count in sorted(types.items())]
    return f"user {report.end_user_id}: {', '.join(told)}"
