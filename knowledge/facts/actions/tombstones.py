"""Keys whose facts were deleted or forgotten: older words do not bring them back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from knowledge.facts.models import FactTombstone, UserFact
from memoryproject.prepared import prepared_cursor

Key = tuple[int, int, str, bytes]
"""Tenant, end user, type and the hash of the fact's key."""
_IS_BURIED = """
SELECT EXISTS (
    SELECT 1 FROM knowledge_facttombstone
    WHERE tenant_id = %s AND end_user_id = %s AND type = %s AND key_index = %s AND holds_to >= %s
)
"""


def bury_keys(keys: Sequence[Key], *, now: dt.datetime) -> None:
    """What was said up to now about these keys is over, save where an active version of the key stays.

    Call it under the user's lock. Two queries.
    """
    if not keys:
        return
    tenant_id, end_user_id = keys[0][:2]
    hashes = {key[3] for key in keys}
    active = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, is_active=True, key_index__in=hashes)
    kept = {(type_, bytes(index)) for type_, index in active.values_list("type", "key_index")}
    FactTombstone.objects.bulk_create(
        [
            FactTombstone(tenant_id=tenant_id, end_user_id=end_user_id, type=type_, key_index=index, holds_to=now)
            for tenant_id, end_user_id, type_, index in sorted(set(keys))
            if (type_, index) not in kept
        ],
        update_conflicts=True,
        unique_fields=["tenant", "end_user", "type", "key_index"],
        update_fields=["holds_to"],
    )


def is_buried(key: Key, *, said_at: dt.datetime) -> bool:
    """Whether what was said then about the key is over. One query."""
    with prepared_cursor() as cursor:
        cursor.execute(_IS_BURIED, (*key, said_at))
        return bool(cursor.fetchone()[0])


def clear_tombstones(*, tenant_id: int, end_user_id: int) -> int:
    """How many tombstones of the user are gone: all."""
    return FactTombstone.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).delete()[0]
