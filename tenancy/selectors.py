"""Reads of tenants, worlds and keys: who calls, and which world a call is about."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from memoryproject.prepared import prepared_cursor
from tenancy.core.caller import Caller, WorldRef
from tenancy.core.keys import is_same_secret, parse_key
from tenancy.errors import (
    KeyExpired,
    KeyRefused,
    KeyRevoked,
    ScopeMissing,
    UnknownEndUser,
    UnknownTenant,
    UnknownWorld,
    WorldRequired,
)
from tenancy.models import ApiKey, EndUser, Tenant, World

NO_SECRET = bytes(32)
"""Compared with when a prefix is unknown, so that the answer takes as long as for a wrong secret."""

UNKNOWN_KEY = "The API key is not known."
_FIND_KEY = """
SELECT k.id, k.secret_hash, k.tenant_id, t.slug, k.world_id, k.scopes, k.requests_per_minute, k.expires_at, k.revoked_at
FROM tenancy_apikey k JOIN tenancy_tenant t ON t.id = k.tenant_id
WHERE k.prefix = %s
"""


def in_world(world_id: int | None, prefix: str = "") -> Q:
    """That rows, or what `prefix` ("thread__") leads to, are of the world; with None, that they are of no world."""
    return Q(**{f"{prefix}world__isnull": True}) if world_id is None else Q(**{f"{prefix}world_id": world_id})


def authenticate_key(text: str) -> Caller:
    """The caller behind an API key. One query. Raises KeyRefused.

    An unknown key and a wrong secret are told by the same code and words; that a key is expired or revoked is told
    to the holder of its secret only.
    """
    parts = parse_key(text)
    if parts is None:
        raise KeyRefused(UNKNOWN_KEY)
    with prepared_cursor() as cursor:
        cursor.execute(_FIND_KEY, (parts.prefix,))
        row = cursor.fetchone()
    if row is None:
        is_same_secret(parts.secret, NO_SECRET)
        raise KeyRefused(UNKNOWN_KEY)
    key_id, secret_hash, tenant_id, tenant_slug, world_id, scopes, rate, expires_at, revoked_at = row
    if not is_same_secret(parts.secret, bytes(secret_hash)):
        raise KeyRefused(UNKNOWN_KEY)
    if revoked_at is not None:
        raise KeyRevoked("The API key has been revoked.")
    if expires_at is not None and expires_at <= timezone.now():
        raise KeyExpired("The API key has expired.")
    return Caller(
        tenant_id=tenant_id,
        tenant_slug=tenant_slug,
        world_id=world_id,
        key_id=key_id,
        key_prefix=parts.prefix,
        scopes=frozenset(scopes),
        requests_per_minute=rate,
    )


def check_scope(caller: Caller, scope: str) -> None:
    """Raises ScopeMissing unless the key was issued for the scope."""
    if not caller.has_scope(scope):
        raise ScopeMissing(f"This key was not issued for the scope '{scope}'.", scope=str(scope))


def check_tenant(caller: Caller, tenant_slug: str | None) -> None:
    """Raises UnknownTenant when the tenant named is not the key's own, whether it exists or not."""
    if tenant_slug is not None and tenant_slug != caller.tenant_slug:
        raise UnknownTenant(f"There is no tenant {tenant_slug!r}.")


def resolve_world(caller: Caller, *, world_slug: str | None = None, tenant_slug: str | None = None) -> WorldRef:
    """The world that a call is about: the one named, else the key's own, else the tenant's only one. One query.

    Raises UnknownTenant, UnknownWorld, WorldRequired. A world of another tenant, or beside the key's own, is told
    just as one that does not exist.
    """
    check_tenant(caller, tenant_slug)
    worlds = World.objects.filter(tenant_id=caller.tenant_id).order_by("id")
    if caller.world_id is not None:
        worlds = worlds.filter(pk=caller.world_id)
    if world_slug is not None:
        worlds = worlds.filter(slug=world_slug)
    found = list(worlds.values_list("id", "tenant_id", "slug", "name")[:2])
    if not found:
        raise UnknownWorld(
            "The tenant has no world yet." if world_slug is None else f"There is no world {world_slug!r}."
        )
    if len(found) > 1:
        raise WorldRequired("This key reaches several worlds: say which one in the header X-Site-ID.")
    return WorldRef(*found[0], is_bound=caller.world_id is not None)


def get_tenant(slug: str) -> Tenant:
    """The tenant of that slug. Raises UnknownTenant."""
    try:
        return Tenant.objects.get(slug=slug)
    except Tenant.DoesNotExist:
        raise UnknownTenant(f"There is no tenant {slug!r}.") from None


def get_world(*, tenant_id: int, slug: str) -> World:
    """The tenant's world of that slug. Raises UnknownWorld."""
    try:
        return World.objects.get(tenant_id=tenant_id, slug=slug)
    except World.DoesNotExist:
        raise UnknownWorld(f"There is no world {slug!r}.") from None


def list_api_keys(*, tenant_id: int | None = None) -> QuerySet[ApiKey]:
    """All keys, or those of one tenant, with tenant and world loaded, by tenant and name."""
    keys = ApiKey.objects.select_related("tenant", "world").order_by("tenant__slug", "name", "id")
    return keys if tenant_id is None else keys.filter(tenant_id=tenant_id)


def get_end_user(*, tenant_id: int, external_id: str) -> EndUser:
    """The tenant's end user of that id. Raises UnknownEndUser."""
    try:
        return EndUser.objects.get(tenant_id=tenant_id, external_id=external_id)
    except EndUser.DoesNotExist:
        raise UnknownEndUser(f"There is no user {external_id!r}.") from None


def find_external_id(*, tenant_id: int, end_user_id: int) -> str | None:
    """The tenant's own id of an end user; None where there is none. One query."""
    return EndUser.objects.filter(tenant_id=tenant_id, pk=end_user_id).values_list("external_id", flat=True).first()


def find_named_world(caller: Caller, *, world_slug: str | None) -> WorldRef | None:
    """The world that the call names or that the key is bound to; None where neither says one. Raises UnknownWorld."""
    if world_slug is None and caller.world_id is None:
        return None
    return resolve_world(caller, world_slug=world_slug)
