"""Tenants and their worlds."""

from __future__ import annotations

from tenancy.models import Tenant, World


def make_world(slug: str = "w", *, tenant: str = "t", npc_review: str = "off") -> World:
    """A world, in a tenant made on need. Its NPCs are written at once: their review has tests of its own."""
    owner, _ = Tenant.objects.get_or_create(slug=tenant, defaults={"name": tenant})
    return World.objects.create(tenant=owner, slug=slug, name=slug, npc_review=npc_review)


def write_npcs_at_once(world: World) -> World:
    """The world without review of NPCs, which has tests of its own."""
    world.npc_review = "off"
    world.save(update_fields=["npc_review"])
    return world
