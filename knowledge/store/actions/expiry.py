"""Items whose time has passed: put off when they are read, deleted when nobody reads them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection, transaction
from django.utils import timezone

from knowledge.store.models import StoreItem, StoreSpace
from memoryproject.metrics import STORE_EXPIRED

SWEEP_BATCH_SIZE = 1000
REFRESH_SHARE = 0.01
"""A read puts the end off once a hundredth of the time has passed: a loop of reads does not become a loop of writes."""
_REFRESH = """
UPDATE knowledge_storeitem i
SET expires_at = statement_timestamp() + i.ttl_minutes * interval '1 minute'
FROM (
    SELECT d.id FROM knowledge_storeitem d
    WHERE d.id = ANY(%(ids)s) AND d.expires_at < statement_timestamp() + %(share)s * d.ttl_minutes * interval '1 minute'
    FOR UPDATE SKIP LOCKED
) due
WHERE i.id = due.id
RETURNING i.id, i.expires_at
"""


def refresh_items(items: Sequence[StoreItem]) -> None:
    """The end of these items is put off, as far from now as it was from their writing. One statement, none without an
    item that ends. What somebody writes at the moment is left to them."""
    ids = [item.pk for item in items if item.expires_at is not None]
    if ids:
        with connection.cursor() as cursor:
            cursor.execute(_REFRESH, {"ids": ids, "share": 1 - REFRESH_SHARE})
            ends = dict(cursor.fetchall())
        for item in items:
            item.expires_at = ends.get(item.pk, item.expires_at)


def delete_expired(space: StoreSpace) -> int:
    """How many items of the space are gone. Must be called inside a transaction that holds the space."""
    rows = StoreItem.objects.filter(space=space, expires_at__lte=timezone.now())
    ids = list(rows.order_by("expires_at").values_list("pk", flat=True)[:SWEEP_BATCH_SIZE])
    if ids:
        StoreItem.objects.filter(pk__in=ids).delete()
        STORE_EXPIRED.inc(len(ids))
    return len(ids)


def sweep_expired() -> int:
    """How many items of all spaces are gone. Safe to run twice; holds one space at a time, for one batch."""
    rows = StoreItem.objects.filter(expires_at__lte=timezone.now())
    count = 0
    for space_id in list(rows.order_by("space_id").values_list("space_id", flat=True).distinct()):
        while True:
            with transaction.atomic():
                space = StoreSpace.objects.select_for_update(no_key=True).get(pk=space_id)
                deleted = delete_expired(space)
            count += deleted
            if deleted < SWEEP_BATCH_SIZE:
                break
    return count
