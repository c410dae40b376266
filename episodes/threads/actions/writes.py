"""Writes of tasks, which wait under their checkpoint until the next one takes them in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection, transaction

from episodes.threads.actions.checkpoint_rows import check_size
from episodes.threads.actions.interrupts import ask_people, note_resumed
from episodes.threads.actions.threads import share_thread
from episodes.threads.core.drafts import Place, TaskWrites
from episodes.threads.core.values import RESUME, choose_index
from episodes.threads.sealing import seal_bytes, write_context
from knowledge.facts.core.cipher import KeyRing
from knowledge.facts.sealing import get_key_ring

NOTE_USE = "UPDATE episodes_thread SET used_at = now() WHERE id = %s"
COLUMNS = """
    INSERT INTO episodes_threadwrite
        (tenant_id, thread_id, ns, checkpoint_id, generation, task_id, index, task_path, channel, type, sealed,
         sealed_by, size)
    SELECT %(tenant)s, %(thread)s, %(ns)s, %(checkpoint)s,
        coalesce((
            SELECT c.generation FROM episodes_threadcheckpoint c
            WHERE c.thread_id = %(thread)s AND c.ns = %(ns)s AND c.checkpoint_id = %(checkpoint)s
        ), 0),
        %(task)s, w.index, %(path)s, w.channel, w.type, w.sealed, %(key)s, w.size
    FROM unnest(%(indexes)s::int4[], %(channels)s::text[], %(types)s::text[], %(bodies)s::bytea[], %(sizes)s::int4[])
         w(index, channel, type, sealed, size)
"""
_KEY = "(thread_id, ns, checkpoint_id, generation, task_id, index)"
FIRST_HOLDS = f"{COLUMNS} ON CONFLICT {_KEY} DO NOTHING"
LAST_HOLDS = (
    f"{COLUMNS} ON CONFLICT {_KEY} DO UPDATE SET channel = EXCLUDED.channel, type = EXCLUDED.type,"
    " sealed = EXCLUDED.sealed, sealed_by = EXCLUDED.sealed_by, size = EXCLUDED.size, task_path = EXCLUDED.task_path"
)
Row = tuple[int, str, str, bytes, int]


def put_writes(place: Place, task: TaskWrites, *, author: str) -> int:
    """How many interrupts wait for a person because of it. Sent again, it changes nothing.

    A write of a task under an index holds from then on; those of special channels, the last that came. An interrupt
    stops the thread; a resumption notes that its answer was taken, or is the answer. Raises StateTooLarge,
    InvalidThread, FactKeysMissing.
    """
    ring = get_key_ring()
    check_size([len(each.value.data) for each in task.writes])
    rows = _seal(ring, place.tenant_id, task)
    is_about_people = bool(task.interrupts) or any(each.channel == RESUME for each in task.writes)
    with transaction.atomic():
        thread = share_thread(place, is_locked=is_about_people)
        with connection.cursor() as cursor:
            for statement, wanted in (
                (FIRST_HOLDS, [row for row in rows if row[0] >= 0]),
                (LAST_HOLDS, [row for row in rows if row[0] < 0]),
            ):
                _write(cursor, statement, place.tenant_id, thread.pk, ring, task, wanted)
            if thread.is_stale:
                cursor.execute(NOTE_USE, [thread.pk])
        if any(each.channel == RESUME for each in task.writes):
            note_resumed(ring, place.tenant_id, thread.pk, task, author=author)
        if task.interrupts:
            return ask_people(ring, place, thread.pk, task)
    return 0


def _seal(ring: KeyRing, tenant_id: int, task: TaskWrites) -> list[Row]:
    found: dict[int, Row] = {}
    for place, each in enumerate(task.writes):
        index = choose_index(each.channel, place)
        sealed = seal_bytes(ring, each.value.data, context=write_context(tenant_id, task.task_id, index))
        found[index] = (index, each.channel, each.value.type, sealed, len(each.value.data))
    return list(found.values())


def _write(
    cursor: Any, statement: str, tenant_id: int, thread_pk: int, ring: KeyRing, task: TaskWrites, rows: Sequence[Row]
) -> None:
    if not rows:
        return
    indexes, channels, types, bodies, sizes = (list(column) for column in zip(*rows, strict=True))
    cursor.execute(
        statement,
        {
            "tenant": tenant_id,
            "thread": thread_pk,
            "ns": task.ns,
            "checkpoint": task.checkpoint_id,
            "task": task.task_id,
            "path": task.task_path,
            "key": ring.primary,
            "indexes": indexes,
            "channels": channels,
            "types": types,
            "bodies": bodies,
            "sizes": sizes,
        },
    )
