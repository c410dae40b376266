"""Machine writes that may be sent twice and happen once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from tenancy.errors import IdempotencyKeyReused, InvalidIdempotencyKey
from tenancy.models import IdempotencyRecord

MAX_KEY_LENGTH = 255
KEPT_HOURS = 24
DELETE_BATCH_SIZE = 10_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a write answered, or had answered when it was sent before."""

    status_code: int
    body: Mapping[str, Any]
    replayed: bool = False


def run_idempotent(
    *,
    tenant_id: int,
    key: str,
    method_and_path: str,
    world_id: int,
    body: Any,
    write: Callable[[], Answer],
    bound_world_id: int = 0,
) -> Answer:
    """The answer of `write`, run at most once for the tenant's key; a repeat gets the stored answer.

    Callers that are bound to one world (`bound_world_id`) share their keys with nobody else.

    The answer is stored in the same transaction as the write: both stand or neither does, and a write that raises
    stores nothing, so it may be sent again. A twin that comes while the first still runs waits for it on the unique
    row. Raises InvalidIdempotencyKey, IdempotencyKeyReused.
    """
    check_idempotency_key(key)
    digest = hash_request(method_and_path=method_and_path, world_id=world_id, body=body)
    with transaction.atomic():
        while (record_id := _claim(tenant_id, bound_world_id, key, method_and_path, digest)) is None:
            record = IdempotencyRecord.objects.filter(
                tenant_id=tenant_id, bound_world_id=bound_world_id, key=key
            ).first()
            if record is not None:
                return _replay(record, digest)
        answer = write()
        IdempotencyRecord.objects.filter(pk=record_id).update(status_code=answer.status_code, response=answer.body)
    return answer


def check_idempotency_key(key: str) -> None:
    """Raises InvalidIdempotencyKey unless the key is 1 to 255 printable ASCII characters."""
    if not (1 <= len(key) <= MAX_KEY_LENGTH and key.isascii() and key.isprintable()):
        raise InvalidIdempotencyKey(f"Idempotency-Key must be 1 to {MAX_KEY_LENGTH} printable ASCII characters.")


def hash_request(*, method_and_path: str, world_id: int, body: Any) -> bytes:
    """SHA-256 of all that makes two requests the same; the order of members in the body does not count."""
    canonical = json.dumps([method_and_path, world_id, body], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).digest()


def delete_old_answers(*, older_than_hours: int = KEPT_HOURS) -> int:
    """How many stored answers were deleted because they are older than a day."""
    before = timezone.now() - timedelta(hours=older_than_hours)
    deleted = 0
    while True:
        ids = list(
            IdempotencyRecord.objects.filter(created_at__lt=before).values_list("id", flat=True)[:DELETE_BATCH_SIZE]
        )
        if not ids:
            return deleted
        deleted += IdempotencyRecord.objects.filter(pk__in=ids).delete()[0]


def _claim(tenant_id: int, bound_world_id: int, key: str, method_and_path: str, digest: bytes) -> int | None:
    """The id of the new record, or None when the key has one; waits for a twin's transaction to end."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO tenancy_idempotencyrecord
                (tenant_id, bound_world_id, key, method_and_path, request_hash, status_code, response)
            VALUES (%s, %s, %s, %s, %s, 0, '{}')
            ON CONFLICT (tenant_id, bound_world_id, key) DO NOTHING
            RETURNING id
            """,
            [tenant_id, bound_world_id, key, method_and_path[:500], digest],
        )
        row = cursor.fetchone()
    return int(row[0]) if row else None


def _replay(record: IdempotencyRecord, digest: bytes) -> Answer:
    if bytes(record.request_hash) != digest:
        raise IdempotencyKeyReused("This Idempotency-Key came before with another request. Use a new key.")
    return Answer(status_code=record.status_code, body=record.response, replayed=True)
