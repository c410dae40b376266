"""Which world a command is about, from what its options say."""

from __future__ import annotations

from django.core.management.base import CommandError

from tenancy.models import World


def find_world(world_slug: str, tenant_slug: str | None) -> World | None:
    """The world of that slug, in the tenant named or in the only one that has it; None if there is none.

    Raises CommandError when several tenants have one.
    """
    worlds = World.objects.select_related("tenant").filter(slug=world_slug)
    if tenant_slug is not None:
        worlds = worlds.filter(tenant__slug=tenant_slug)
    found = list(worlds.order_by("tenant__slug")[:10])
    if len(found) > 1:
        tenants = ", ".join(world.tenant.slug for world in found)
        raise CommandError(f"Several tenants have a world {world_slug!r} ({tenants}): say which with --tenant.")
    return found[0] if found else None


def get_world_or_exit(world_slug: str, tenant_slug: str | None) -> World:
    """The world of that slug. Raises CommandError."""
    world = find_world(world_slug, tenant_slug)
    if world is None:
        where = f" of tenant {tenant_slug!r}" if tenant_slug else ""
        raise CommandError(f"There is no world {world_slug!r}{where}.")
    return world
