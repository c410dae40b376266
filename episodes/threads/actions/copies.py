"""Copies of threads: a fork that goes on by itself."""

from __future__ import annotations

from dataclasses import replace

from django.db import connection, transaction

from episodes.threads.actions.threads import lock_thread, share_thread
from episodes.threads.core.drafts import Place
from episodes.threads.errors import InvalidThread, ThreadNotEmpty
from episodes.threads.models import Thread, ThreadCheckpoint

STATEMENTS = {
    "values": """
        INSERT INTO episodes_threadvalue (tenant_id, thread_id, digest, type, sealed, sealed_by, size)
        SELECT tenant_id, %s, digest, type, sealed, sealed_by, size FROM episodes_threadvalue WHERE thread_id = %s
        ON CONFLICT DO NOTHING
    """,
    "checkpoints": """
        INSERT INTO episodes_threadcheckpoint
            (tenant_id, thread_id, ns, checkpoint_id, parent_id, generation, parent_generation, root_id, step,
             source, run_id, channels, delta_channels, sealed, sealed_by, tokens, fingerprint, size, created_at)
        SELECT tenant_id, %s, ns, checkpoint_id, parent_id, generation, parent_generation, root_id, step,
               source, run_id, channels, delta_channels, sealed, sealed_by, tokens, fingerprint, size, created_at
        FROM episodes_threadcheckpoint WHERE thread_id = %s AND undone_by_id IS NULL ORDER BY id
    """,
    "writes": """
        INSERT INTO episodes_threadwrite
            (tenant_id, thread_id, ns, checkpoint_id, generation, task_id, index, task_path, channel, type, sealed,
             sealed_by, size)
        SELECT w.tenant_id, %s, w.ns, w.checkpoint_id, w.generation, w.task_id, w.index, w.task_path, w.channel,
               w.type, w.sealed, w.sealed_by, w.size
        FROM episodes_threadwrite w
        WHERE w.thread_id = %s AND NOT EXISTS (
            SELECT 1 FROM episodes_threadcheckpoint c
            WHERE (c.thread_id, c.ns, c.checkpoint_id) = (w.thread_id, w.ns, w.checkpoint_id)
                AND c.undone_by_id IS NOT NULL
        )
    """,
    "interrupts": """
        INSERT INTO episodes_threadinterrupt
            (tenant_id, thread_id, ns, checkpoint_id, task_id, graph_id, sealed, sealed_by, fingerprint, state,
             decided_by, expires_at)
        SELECT tenant_id, %s, ns, checkpoint_id, task_id, graph_id, sealed, sealed_by, fingerprint, state, '',
               expires_at
        FROM episodes_threadinterrupt WHERE thread_id = %s AND state = 'open'
    """,
}
"""In the order in which rows need each other. What is sealed opens in the copy, too."""


def copy_thread(place: Place, target_thread_id: str) -> dict[str, int]:
    """How many rows of each kind the copy has: all that holds, with whole chains of parents, and what waits.

    What a rollback undid stays with the source; the copy is bound to the same user and conversation, so that it goes
    with them, and to no campaign. Raises UnknownThread, ThreadNotEmpty, InvalidThread.
    """
    if target_thread_id == place.thread_id:
        raise InvalidThread("A thread is copied to another one.")
    with transaction.atomic():
        source = lock_thread(place)
        target_place = replace(place, thread_id=target_thread_id)
        share_thread(target_place)
        target = lock_thread(target_place)
        if ThreadCheckpoint.objects.filter(thread=target).exists():
            raise ThreadNotEmpty("There is something in the thread to copy to.")
        owners = {(target.end_user_id, target.conversation_id), (source.end_user_id, source.conversation_id)}
        if len(owners - {(None, None)}) > 1:
            raise ThreadNotEmpty("The thread to copy to is about somebody else.")
        Thread.objects.filter(pk=target.pk).update(
            state=source.state,
            end_user_id=source.end_user_id or target.end_user_id,
            conversation_id=source.conversation_id or target.conversation_id,
        )
        counts = {}
        with connection.cursor() as cursor:
            for name, statement in STATEMENTS.items():
                cursor.execute(statement, [target.pk, source.pk])
                counts[name] = cursor.rowcount
    return counts
