"""One embedding task for each conversation that waits for one, however many messages arrive meanwhile."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from django.db import transaction

from memoryproject.redis import build_key, get_redis

QUEUED_SECONDS = 60
"""After so long a task that was lost no longer holds back the next one."""


def queue_embedding(conversation_id: int, *, is_batch: bool) -> None:
    """Enqueue once the transaction holds. A broker that is down costs a log line; the sweeper catches up."""
    from episodes import tasks

    priority = tasks.PRIORITY_NORMAL if is_batch else tasks.PRIORITY_HIGH
    transaction.on_commit(partial(_publish_once, conversation_id, priority), robust=True)


def queue_recovery(conversation_ids: Iterable[int]) -> None:
    """Enqueue conversations with messages that were left behind, once the transaction holds."""
    from episodes import tasks

    for conversation_id in sorted(conversation_ids):
        publish = partial(tasks.embed_messages.apply_async, (conversation_id,), priority=tasks.PRIORITY_RECOVERY)
        transaction.on_commit(publish, robust=True)


def take_up_queued(conversation_id: int) -> None:
    """From now on a new message queues a new task; the task that calls this then sees all that came before."""
    from episodes import tasks

    priorities = (tasks.PRIORITY_HIGH, tasks.PRIORITY_NORMAL)
    get_redis().delete(*[_build_marker(conversation_id, priority) for priority in priorities])


def _publish_once(conversation_id: int, priority: int) -> None:
    """Publish a task unless one waits that has not begun: that one will see the messages of this transaction."""
    from episodes import tasks

    marker = _build_marker(conversation_id, priority)
    if not get_redis().set(marker, 1, nx=True, ex=QUEUED_SECONDS):
        return
    try:
        tasks.embed_messages.apply_async((conversation_id,), priority=priority)
    except Exception:
        get_redis().delete(marker)
        raise


def _build_marker(conversation_id: int, priority: int) -> str:
    return build_key("embedding-queued", conversation_id, priority)
