"""Which tenant, domain and person a command is about, from what its options say."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError

from knowledge.canon.models import DomainIndex
from knowledge.config import get_domain_settings
from knowledge.errors import UnknownDomain
from reviews.core.actor import Actor
from reviews.selectors.actors import actor_of_user
from tenancy.models import Tenant, World


def choose_tenant_slug(tenant_slug: str | None) -> str:
    """The tenant for a new world: the one named, the only one there is, or `default` where there is none yet."""
    if tenant_slug is not None:
        return tenant_slug
    slugs = list(Tenant.objects.order_by("slug").values_list("slug", flat=True)[:10])
    if len(slugs) > 1:
        raise CommandError(f"There are several tenants ({', '.join(slugs)}): say with --tenant whose the new world is.")
    return slugs[0] if slugs else "default"


def check_domain(domain: str) -> str:
    """The domain, if it is configured. Raises CommandError."""
    try:
        get_domain_settings(domain)
    except UnknownDomain as error:
        raise CommandError(error.detail) from error
    return domain


def find_index(world: World | None, domain: str) -> DomainIndex | None:
    """The world's domain index; None while nothing was ever loaded into it."""
    return DomainIndex.objects.filter(world=world, domain=domain).first() if world is not None else None


def choose_index(world: World, domain: str) -> DomainIndex:
    """The world's domain index. Raises CommandError."""
    index = find_index(world, check_domain(domain))
    if index is None:
        raise CommandError(f"World {world.slug!r} has nothing in the domain {domain!r}.")
    return index


def choose_actor(username: str, tenant: Tenant) -> Actor:
    """The person as an actor in the tenant. Raises CommandError."""
    user = get_user_model().objects.filter(username=username).first()
    if user is None:
        raise CommandError(f"There is no user {username!r}.")
    actor = actor_of_user(user, tenant)
    if actor.role is None:
        raise CommandError(f"{username!r} has no role in tenant {tenant.slug!r}.")
    return actor
