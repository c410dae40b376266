"""Keys whose facts were deleted or forgotten: words that are told later and were said before bring nothing back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from knowledge.facts.models import CorrectionOutcome, CorrectionType, FactTombstone, UserFact
from memoryproject.prepared import prepared_cursor

Key = tuple[int, int, str, bytes]
"""Tenant, end user, type and the hash of the fact's key."""
_IS_BURIED = """
SELECT EXISTS (
    SELECT 1 FROM knowledge_facttombstone
    WHERE tenant_id = %s AND end_user_id = %s AND type = %s AND key_index = %s AND holds_to >= %s
)
"""
_BURY_DECIDED = """
INSERT INTO knowledge_facttombstone AS t (tenant_id, end_user_id, type, key_index, holds_to, deleted_to)
SELECT f.tenant_id, f.end_user_id, f.type, f.key_index, max(c.created_at), max(c.created_at)
FROM knowledge_userfact f
JOIN knowledge_memorycorrection c ON c.fact_id = f.id
    AND c.correction_type = %(support)s AND c.outcome = %(deactivated)s
WHERE f.tenant_id = %(tenant)s AND f.end_user_id = %(end_user)s AND f.id = ANY (%(facts)s) AND f.value_sealed <> ''
GROUP BY f.tenant_id, f.end_user_id, f.type, f.key_index
ON CONFLICT (tenant_id, end_user_id, type, key_index) DO UPDATE SET
    holds_to = GREATEST(t.holds_to, EXCLUDED.holds_to), deleted_to = GREATEST(t.deleted_to, EXCLUDED.deleted_to)
"""


def bury_keys(keys: Sequence[Key], *, now: dt.datetime, is_deleted: bool) -> None:
    """What was said up to now about these keys is over, save where an active version of the key stays.

    Of keys that are not deleted but forgotten, what was told by now may count again. Call it under the user's lock.
    Two queries.
    """
    if not keys:
        return
    tenant_id, end_user_id = keys[0][:2]
    hashes = {key[3] for key in keys}
    active = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, is_active=True, key_index__in=hashes)
    kept = {(type_, bytes(index)) for type_, index in active.values_list("type", "key_index")}
    deleted_to = now if is_deleted else None
    FactTombstone.objects.bulk_create(
        [
            FactTombstone(
                tenant_id=tenant_id,
                end_user_id=end_user_id,
                type=type_,
                key_index=index,
                holds_to=now,
                deleted_to=deleted_to,
            )
            for tenant_id, end_user_id, type_, index in sorted(set(keys))
            if (type_, index) not in kept
        ],
        update_conflicts=True,
        unique_fields=["tenant", "end_user", "type", "key_index"],
        update_fields=["holds_to", "deleted_to"] if is_deleted else ["holds_to"],
    )


def bury_decided_keys(*, tenant_id: int, end_user_id: int, fact_ids: Iterable[int]) -> None:
    """What was said about the keys of these facts before a person ended them is over, though the facts are erased.

    Call it under the user's lock, before they are. One query.
    """
    with prepared_cursor() as cursor:
        cursor.execute(
            _BURY_DECIDED,
            {
                "tenant": tenant_id,
                "end_user": end_user_id,
                "facts": list(fact_ids),
                "support": CorrectionType.SUPPORT.value,
                "deactivated": CorrectionOutcome.DEACTIVATED.value,
            },
        )


def is_buried(key: Key, *, said_at: dt.datetime) -> bool:
    """Whether what was said then about the key is over. One query."""
    with prepared_cursor() as cursor:
        cursor.execute(_IS_BURIED, (*key, said_at))
        return bool(cursor.fetchone()[0])


def clear_tombstones(*, tenant_id: int, end_user_id: int) -> int:
    """How many tombstones of the user are gone: all."""
    return FactTombstone.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).delete()[0]
