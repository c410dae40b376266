"""`manage.py extract_facts`: what waits of players, worked off now by the second stage."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from factcheck.extraction.actions.dry_runs import DryRun, try_run
from factcheck.extraction.actions.runs import extract_user
from factcheck.extraction.models import ExtractionRun, RunTrigger
from factcheck.extraction.proposers.base import ProposerError
from factcheck.extraction.proposers.registry import get_proposer
from knowledge.errors import FactKeysMissing
from memoryproject.errors import ConflictError
from tenancy.models import EndUser, Tenant

DRY_RUN_SECONDS = 120.0


class Command(BaseCommand):
    """A user at a time; it may be stopped and run again. It prints no words of players."""

    help = "Read what waits of players a second time now: a proposer proposes, the gate decides."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose messages, and whether to write anything."""
        parser.add_argument("--tenant", required=True, help="The tenant's slug.")
        parser.add_argument("--user", help="One player, by the tenant's id; else all of whom messages wait.")
        parser.add_argument("--dry-run", action="store_true", help="Only say what would come of the last messages.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Works off, a line for each run."""
        tenant = Tenant.objects.filter(slug=options["tenant"]).first()
        if tenant is None:
            raise CommandError(f"There is no tenant {options['tenant']!r}.")
        for user_id in self._list_users(tenant, options["user"]):
            try:
                lines = self._try(tenant, user_id) if options["dry_run"] else self._extract(tenant, user_id)
            except FactKeysMissing as error:
                raise CommandError(error.detail) from error
            except ProposerError as error:
                raise CommandError(f"{error.code}: {error.detail}") from error
            except ConflictError as error:
                lines = [error.code]
            for line in lines:
                self.stdout.write(f"user {user_id}: {line}")

    def _list_users(self, tenant: Tenant, external_id: str | None) -> list[int]:
        users = EndUser.objects.filter(tenant=tenant).order_by("pk")
        if external_id is None:
            waiting = users.filter(conversations__pending_extraction_count__gt=0).distinct()
            return list(waiting.values_list("pk", flat=True))
        found = list(users.filter(external_id=external_id).values_list("pk", flat=True))
        if not found:
            raise CommandError("There is no such user.")
        return found

    def _extract(self, tenant: Tenant, user_id: int) -> list[str]:
        runs = extract_user(tenant_id=tenant.pk, end_user_id=user_id, triggered_by=RunTrigger.MANUAL)
        return [_render_run(run) for run in runs]

    def _try(self, tenant: Tenant, user_id: int) -> list[str]:
        dry = try_run(
            tenant_id=tenant.pk, end_user_id=user_id, proposer=get_proposer(), timeout_seconds=DRY_RUN_SECONDS
        )
        return [_render_dry_run(dry)]


def _render_run(run: ExtractionRun) -> str:
    told = (
        f"run {run.pk} {run.state} ({run.mode}), {run.messages} messages, {run.deltas_applied} of {run.deltas} applied"
    )
    return f"{told}, {run.error_code}" if run.error_code else told


def _render_dry_run(dry: DryRun) -> str:
    verdicts = ", ".join(f"{each.delta.operation} {each.delta.type} {each.verdict.code}" for each in dry.deltas)
    return f"{len(dry.given.messages)} messages: {verdicts or 'nothing'}"
