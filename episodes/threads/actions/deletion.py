"""Deleting threads and parts of them for good: by request, by age, with their user, by run, or by pruning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet

from episodes.models import PartyMember
from episodes.threads.core.drafts import Place, list_needed
from episodes.threads.models import (
    Thread,
    ThreadCheckpoint,
    ThreadInterrupt,
    ThreadReceipt,
    ThreadReceiptKind,
    ThreadRollback,
    ThreadValue,
    ThreadWrite,
)
from episodes.threads.models.guards import DELETION_SETTING
from tenancy.selectors import in_world

SYSTEM = "memory37"
EXPIRY_BATCH_SIZE = 200
_TABLES = (
    ("writes", ThreadWrite),
    ("interrupts", ThreadInterrupt),
    ("checkpoints", ThreadCheckpoint),
    ("values", ThreadValue),
    ("rollbacks", ThreadRollback),
)
"""In the order in which they go."""
DELETE_ORPHANS = """
    DELETE FROM episodes_threadvalue v WHERE v.thread_id = %s AND NOT EXISTS (
        SELECT 1 FROM episodes_threadcheckpoint c, jsonb_each(c.channels) e
        WHERE c.thread_id = v.thread_id AND e.value ->> 1 = v.digest
    )
"""
_EXPIRED = """
    SELECT t.id FROM episodes_thread t LEFT JOIN episodes_worldthreadpolicy p ON p.world_id = t.world_id
    WHERE t.used_at < now() - interval '1 day'
        AND t.used_at < now() - make_interval(days => coalesce(p.idle_days, %s), hours => 1)
"""
"""By `thread_by_use`. An hour more: the time of use is kept within the hour."""
LIST_EXPIRED = f"{_EXPIRED} ORDER BY t.used_at LIMIT %s"
IS_EXPIRED = f"{_EXPIRED} AND t.id = %s"


def delete_thread(place: Place, *, by: str) -> ThreadReceipt:
    """The receipt: the thread and all that stood in it is gone. Of a thread that is not there, nothing is."""
    with transaction.atomic():
        pks = list(_find(place.tenant_id, place.world_id, [place.thread_id]).values_list("pk", flat=True))
        return _delete(pks, place.tenant_id, place.world_id, ThreadReceiptKind.DELETION, by=by)


def prune_threads(
    *, tenant_id: int, world_id: int | None, thread_ids: Sequence[str], keeps_latest: bool, by: str
) -> ThreadReceipt:
    """The receipt: of each namespace the newest checkpoint is left with what its delta channels need, or nothing."""
    with transaction.atomic():
        threads = _find(tenant_id, world_id, thread_ids)
        if not keeps_latest:
            pks = list(threads.values_list("pk", flat=True))
            return _delete(pks, tenant_id, world_id, ThreadReceiptKind.PRUNE, by=by)
        counts = {"checkpoints": 0, "writes": 0, "values": 0}
        for thread in threads:
            for name, count in _prune(thread).items():
                counts[name] += count
        return _write_receipt(tenant_id, world_id, ThreadReceiptKind.PRUNE, counts, by=by)


def delete_runs(*, tenant_id: int, world_id: int | None, run_ids: Sequence[str], by: str) -> ThreadReceipt:
    """The receipt: checkpoints that these runs made are gone. `kept`: those that a later state is rebuilt from."""
    wanted = {each for each in run_ids if each}
    with transaction.atomic():
        rows = ThreadCheckpoint.objects.filter(in_world(world_id, "thread__"), tenant_id=tenant_id, run_id__in=wanted)
        threads = Thread.objects.select_for_update().filter(pk__in=rows.values("thread_id")).order_by("pk")
        counts = {"checkpoints": 0, "writes": 0, "values": 0, "kept": 0}
        for thread in threads:
            everything = _list_checkpoints(thread)
            found = [row for row in everything if row.run_id in wanted]
            needed = _list_needed([row for row in everything if row.run_id not in wanted], everything)
            gone = [row for row in found if row.pk not in needed]
            counts["kept"] += len(found) - len(gone)
            for name, count in _delete_checkpoints(thread, gone).items():
                counts[name] += count
        return _write_receipt(tenant_id, world_id, ThreadReceiptKind.RUNS, counts, by=by)


def expire_threads(*, limit: int = EXPIRY_BATCH_SIZE) -> int:
    """How many threads went because nobody used them for as long as their world keeps them, at most `limit`."""
    with connection.cursor() as cursor:
        cursor.execute(LIST_EXPIRED, [settings.THREAD_IDLE_DAYS, limit])
        found = [row[0] for row in cursor.fetchall()]
    count = 0
    for pk in found:
        with transaction.atomic(), connection.cursor() as cursor:
            thread = Thread.objects.select_for_update().filter(pk=pk).first()
            cursor.execute(IS_EXPIRED, [settings.THREAD_IDLE_DAYS, pk])
            if thread is not None and cursor.fetchone() is not None:
                _delete([pk], thread.tenant_id, thread.world_id, ThreadReceiptKind.EXPIRY, by=SYSTEM)
                count += 1
    return count


def delete_threads_of_user(*, tenant_id: int, end_user_id: int, world_id: int | None = None) -> int:
    """How many threads about a user, or about play that they were in, are gone. Inside a transaction."""
    campaigns = PartyMember.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id).values("party__campaign_id")
    about = Q(end_user_id=end_user_id) | Q(campaign_id__in=campaigns)
    return _delete_found(Thread.objects.filter(about, tenant_id=tenant_id), world_id)


def delete_threads_of_messages(
    *, tenant_id: int, end_user_id: int, conversation_ids: Sequence[int], world_id: int | None = None
) -> int:
    """How many threads are gone that may have words of forgotten messages: nobody here can read their state.

    Those of the conversations, and of the user without a conversation. Inside a transaction.
    """
    about = Q(conversation_id__in=list(conversation_ids)) | Q(conversation=None, end_user_id=end_user_id)
    return _delete_found(Thread.objects.filter(about, tenant_id=tenant_id), world_id)


def _delete_found(rows: QuerySet[Thread], world_id: int | None) -> int:
    if world_id is not None:
        rows = rows.filter(world_id=world_id)
    found = list(rows.select_for_update().order_by("pk"))
    for thread in found:
        _delete([thread.pk], thread.tenant_id, thread.world_id, ThreadReceiptKind.ERASURE, by=SYSTEM)
    return len(found)


def _find(tenant_id: int, world_id: int | None, thread_ids: Sequence[str]) -> QuerySet[Thread]:
    rows = Thread.objects.select_for_update().filter(in_world(world_id), tenant_id=tenant_id)
    return rows.filter(external_id__in=list(thread_ids)).order_by("pk")


def _delete(pks: Sequence[int], tenant_id: int, world_id: int | None, kind: str, *, by: str) -> ThreadReceipt:
    counts = {"threads": len(pks)}
    with allow_deletion():
        for name, model in _TABLES:
            rows: Any = model._base_manager.filter(thread_id__in=pks)  # noqa: SLF001
            counts[name] = rows._raw_delete(rows.db) or 0  # noqa: SLF001 - one statement a table; children went before
        Thread.objects.filter(pk__in=pks)._raw_delete("default")  # noqa: SLF001
    return _write_receipt(tenant_id, world_id, kind, counts, by=by)


def _prune(thread: Thread) -> dict[str, int]:
    rows = _list_checkpoints(thread)
    needed = _list_needed(rows, rows)
    return _delete_checkpoints(thread, [row for row in rows if row.pk not in needed])


def _list_checkpoints(thread: Thread) -> list[ThreadCheckpoint]:
    """How the thread's checkpoints hang together, without what they hold."""
    return list(ThreadCheckpoint.objects.filter(thread=thread).defer("sealed", "tokens", "fingerprint"))


def _list_needed(rows: Sequence[ThreadCheckpoint], everything: Sequence[ThreadCheckpoint]) -> set[int]:
    """Of the heads among the rows, themselves and what their delta channels are rebuilt from."""
    needed: set[int] = set()
    for ns in {row.ns for row in rows}:
        living = [row.checkpoint_id for row in rows if row.ns == ns and row.undone_by_id is None]
        beside = {row.checkpoint_id: row for row in everything if row.ns == ns}
        if living:
            found = list_needed(
                [max(living)],
                {name: row.parent_id for name, row in beside.items()},
                {name: row.channels for name, row in beside.items()},
                sorted({each for row in beside.values() for each in row.delta_channels}),
            )
            needed |= {beside[name].pk for name in found}
    return needed


def _delete_checkpoints(thread: Thread, rows: Sequence[ThreadCheckpoint]) -> dict[str, int]:
    counts = {"checkpoints": len(rows), "writes": 0, "values": 0}
    if not rows:
        return counts
    with allow_deletion(), connection.cursor() as cursor:
        for ns in {row.ns for row in rows}:
            ids = [row.checkpoint_id for row in rows if row.ns == ns]
            writes: Any = ThreadWrite.objects.filter(thread=thread, ns=ns, checkpoint_id__in=ids)
            counts["writes"] += writes._raw_delete(writes.db) or 0  # noqa: SLF001
        gone: Any = ThreadCheckpoint.objects.filter(pk__in=[row.pk for row in rows])
        gone._raw_delete(gone.db)  # noqa: SLF001
        cursor.execute(DELETE_ORPHANS, [thread.pk])
        counts["values"] = cursor.rowcount
    return counts


def _write_receipt(
    tenant_id: int, world_id: int | None, kind: str, counts: dict[str, int], *, by: str
) -> ThreadReceipt:
    receipt = ThreadReceipt.objects.create(
        tenant_id=tenant_id, world_id=world_id, kind=kind, counts=counts, requested_by=by
    )
    receipt.refresh_from_db(fields=["created_at"])
    return receipt


@contextmanager
def allow_deletion() -> Iterator[None]:
    """Rows of threads may be deleted, until this ends, in this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {DELETION_SETTING} = 'on'")
        yield
        cursor.execute(f"SET LOCAL {DELETION_SETTING} = 'off'")
