"""Issuing and revoking API keys, and noting when they were last used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import cast

from django.db import connection, transaction
from django.utils import timezone

from memoryproject.redis import build_key, get_redis
from tenancy.actions.rate import KEYS_USED
from tenancy.core.keys import generate_key, hash_secret
from tenancy.errors import InvalidTenancy, UnknownKey
from tenancy.models import ApiKey, Scope, World


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A new key; `text` is the only time that its secret is seen."""

    api_key: ApiKey
    text: str = field(repr=False)


def issue_api_key(
    *,
    tenant_id: int,
    name: str,
    scopes: Iterable[str],
    world_id: int | None = None,
    requests_per_minute: int | None = None,
    expires_at: datetime | None = None,
    created_by_id: int | None = None,
) -> IssuedKey:
    """A new key of the tenant, for one of its worlds or for all. Raises InvalidTenancy."""
    wanted = list(dict.fromkeys(scopes))
    _check(name=name, scopes=wanted, requests_per_minute=requests_per_minute, expires_at=expires_at)
    if world_id is not None and not World.objects.filter(pk=world_id, tenant_id=tenant_id).exists():
        raise InvalidTenancy("The key's world belongs to another tenant.")
    parts = generate_key()
    row = ApiKey.objects.create(
        tenant_id=tenant_id,
        world_id=world_id,
        name=name.strip(),
        prefix=parts.prefix,
        secret_hash=hash_secret(parts.secret),
        scopes=wanted,
        requests_per_minute=requests_per_minute,
        expires_at=expires_at,
        created_by_id=created_by_id,
    )
    return IssuedKey(api_key=row, text=parts.as_text())


def revoke_api_key(*, key_id: int) -> ApiKey:
    """The key, refused from the next request on; revoking it again keeps the first time. Raises UnknownKey."""
    with transaction.atomic():
        row = ApiKey.objects.select_for_update().filter(pk=key_id).first()
        if row is None:
            raise UnknownKey("There is no such API key.")
        if row.revoked_at is None:
            row.revoked_at = timezone.now()
            row.save(update_fields=["revoked_at"])
    return row


def flush_key_uses() -> int:
    """How many keys' `last_used_at` were brought up to date from what `count_request` noted. Safe to run twice."""
    client = get_redis()
    noted = cast("list[tuple[bytes, float]]", client.zrange(build_key(KEYS_USED), 0, -1, withscores=True))
    if not noted:
        return 0
    ids = [int(key_id) for key_id, _ in noted]
    times = [datetime.fromtimestamp(seconds, UTC) for _, seconds in noted]
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE tenancy_apikey AS k SET last_used_at = date_trunc('minute', noted.used_at)
            FROM unnest(%s::bigint[], %s::timestamptz[]) AS noted (id, used_at)
            WHERE k.id = noted.id
              AND (k.last_used_at IS NULL OR k.last_used_at < date_trunc('minute', noted.used_at))
            """,
            [ids, times],
        )
        changed: int = cursor.rowcount
    client.zremrangebyscore(build_key(KEYS_USED), "-inf", max(seconds for _, seconds in noted))
    return changed


def _check(*, name: str, scopes: list[str], requests_per_minute: int | None, expires_at: datetime | None) -> None:
    if not 1 <= len(name.strip()) <= 200:
        raise InvalidTenancy("A key needs a name of at most 200 characters.")
    unknown = [scope for scope in scopes if scope not in Scope.values]
    if unknown or not scopes:
        known = ", ".join(Scope.values)
        raise InvalidTenancy(
            f"A key needs one or more of the scopes {known}." + (f" Unknown: {unknown}." if unknown else "")
        )
    if requests_per_minute is not None and not 1 <= requests_per_minute <= 1_000_000:
        raise InvalidTenancy("requests_per_minute must lie between 1 and 1,000,000.")
    if expires_at is not None and expires_at <= timezone.now():
        raise InvalidTenancy("The key would be expired from the start.")
