"""End users: the players whose facts and conversations are kept."""

from __future__ import annotations

from collections.abc import Collection

from django.db import connection

from tenancy.errors import InvalidUserId
from tenancy.models import EndUser

MAX_EXTERNAL_ID_LENGTH = 200


def ensure_end_user(*, tenant_id: int, external_id: str) -> EndUser:
    """The tenant's end user of that id, created if there is none; two at once get the same. Raises InvalidTenancy."""
    if not external_id.strip() or len(external_id) > MAX_EXTERNAL_ID_LENGTH or not external_id.isprintable():
        raise InvalidUserId(f"A user's id must be 1 to {MAX_EXTERNAL_ID_LENGTH} printable characters.")
    found = EndUser.objects.filter(tenant_id=tenant_id, external_id=external_id).first()
    if found is not None:
        return found
    EndUser.objects.bulk_create([EndUser(tenant_id=tenant_id, external_id=external_id)], ignore_conflicts=True)
    return EndUser.objects.get(tenant_id=tenant_id, external_id=external_id)


def lock_named_user(*, tenant_id: int, external_id: str) -> EndUser:
    """The tenant's end user of that id, created if there is none, locked until the transaction ends.

    Waits for an erasure that goes on: whose id is erased by then is a new user. Raises InvalidTenancy.
    """
    while True:
        known = ensure_end_user(tenant_id=tenant_id, external_id=external_id)
        user = EndUser.objects.select_for_update(no_key=True).get(pk=known.pk)
        if user.external_id == external_id:
            return user


def lock_end_users(*, tenant_id: int, external_ids: Collection[str]) -> dict[str, EndUser]:
    """Id to end user, created where there is none, none of which can be erased until the transaction ends.

    Waits for an erasure that goes on: whose id is erased by then is a new user. Locks them in pk order (key share).
    Raises InvalidTenancy.
    """
    wanted = set(external_ids)
    held: dict[str, EndUser] = {}
    while wanted - held.keys():
        users = [ensure_end_user(tenant_id=tenant_id, external_id=each) for each in sorted(wanted - held.keys())]
        kept = lock_known_users(tenant_id=tenant_id, external_ids=[user.external_id for user in users])
        held |= {user.external_id: user for user in users if user.pk in kept}
    return held


def lock_known_users(*, tenant_id: int, external_ids: Collection[str]) -> set[int]:
    """The users of these ids that are there; none of them can be erased until the transaction ends.

    One query, or none for no ids.
    """
    if not external_ids:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM tenancy_enduser WHERE tenant_id = %s AND external_id = ANY(%s) ORDER BY id FOR KEY SHARE",
            [tenant_id, sorted(external_ids)],
        )
        return {row[0] for row in cursor.fetchall()}
