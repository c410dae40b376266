"""Issue, list and revoke API keys: `manage.py api_key issue|list|revoke`."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memoryproject.errors import DomainError
from tenancy.actions.keys import issue_api_key, revoke_api_key
from tenancy.actions.worlds import ensure_tenant, ensure_world
from tenancy.errors import UnknownKey
from tenancy.models import ApiKey, Scope
from tenancy.selectors import get_tenant, get_world, list_api_keys


class Command(BaseCommand):
    """Keys for machines. A new key is printed once and cannot be shown again."""

    help = "Issue, list and revoke API keys."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The three verbs and their options."""
        verbs = parser.add_subparsers(dest="verb", required=True, title="verbs")
        issue = verbs.add_parser("issue", help="issue a key and print it, this once")
        issue.add_argument("--tenant", required=True, help="slug of the tenant")
        issue.add_argument("--world", help="slug of the only world that the key is for")
        issue.add_argument("--name", required=True, help="what the key is for")
        issue.add_argument(
            "--scope", action="append", required=True, choices=Scope.values, help="may be given several times"
        )
        issue.add_argument("--requests-per-minute", type=int, help="instead of the installation's rate")
        issue.add_argument("--days", type=int, help="days until the key expires")
        issue.add_argument("--create", action="store_true", help="create the tenant and the world if they are missing")
        listing = verbs.add_parser("list", help="list keys, never their secrets")
        listing.add_argument("--tenant", help="slug of the tenant")
        revoke = verbs.add_parser("revoke", help="refuse a key from now on")
        revoke.add_argument("prefix", help="the part of the key between m37_ and the second _")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run one verb."""
        try:
            getattr(self, f"_{options['verb']}")(options)
        except DomainError as error:
            raise CommandError(error.detail) from error

    def _issue(self, options: dict[str, Any]) -> None:
        if options["days"] is not None and not 1 <= options["days"] <= 36_500:
            raise CommandError("--days must lie between 1 and 36500.")
        slug, world_slug = options["tenant"], options["world"]
        tenant = ensure_tenant(slug=slug) if options["create"] else get_tenant(slug)
        world = None
        if world_slug is not None:
            find = ensure_world if options["create"] else get_world
            world = find(tenant_id=tenant.pk, slug=world_slug)
        issued = issue_api_key(
            tenant_id=tenant.pk,
            world_id=world.pk if world else None,
            name=options["name"],
            scopes=options["scope"],
            requests_per_minute=options["requests_per_minute"],
            expires_at=timezone.now() + timedelta(days=options["days"]) if options["days"] else None,
        )
        self.stderr.write("The key is shown this once:")
        self.stdout.write(issued.text)

    def _list(self, options: dict[str, Any]) -> None:
        tenant_id = get_tenant(options["tenant"]).pk if options["tenant"] else None
        rows: list[tuple[str, ...]] = [("PREFIX", "TENANT", "WORLD", "SCOPES", "STATE", "LAST USED", "NAME")]
        rows += [_describe(key) for key in list_api_keys(tenant_id=tenant_id)]
        widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
        for row in rows:
            self.stdout.write("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())

    def _revoke(self, options: dict[str, Any]) -> None:
        key = ApiKey.objects.filter(prefix=options["prefix"]).first()
        if key is None:
            raise UnknownKey(f"There is no API key with the prefix {options['prefix']!r}.")
        revoke_api_key(key_id=key.pk)
        self.stdout.write(f"Revoked {key}.")


def _describe(key: ApiKey) -> tuple[str, ...]:
    state = "active"
    if key.revoked_at is not None:
        state = "revoked"
    elif key.expires_at is not None:
        state = "expired" if key.expires_at <= timezone.now() else f"until {key.expires_at:%Y-%m-%d}"
    return (
        key.prefix,
        key.tenant.slug,
        key.world.slug if key.world else "*",
        ",".join(key.scopes),
        state,
        f"{key.last_used_at:%Y-%m-%d %H:%M}" if key.last_used_at else "-",
        key.name,
    )
