"""One embedding task for each conversation that waits for one, and one for what a tenant has beyond its share."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from django.db.models import QuerySet

from episodes.embedding.priorities import PRIORITY_HIGH, PRIORITY_NORMAL
from episodes.models import MessagePassage, SummaryPassage
from knowledge.search.backlog_queue import queue_backlog
from knowledge.search.models import EmbeddingState
from memoryproject.celery import find_task
from memoryproject.database import after_commit
from memoryproject.outages import REDIS_UNAVAILABLE, classify_outage
from memoryproject.redis import build_key, claim_marker, get_redis

log = structlog.get_logger(__name__)
QUEUED_SECONDS = 60
"""After so long a task that was lost no longer holds back the next one."""
PAUSE_SECONDS = 15.0
"""A broker that did not answer is left alone for so long by this process: writers do not wait for it one by one."""
RENEWAL_SECONDS = 600
SHARE_SECONDS = 10
SHARES = {0: 100, 3: 8}
"""Priority to the tasks a tenant may put before the backlogs of others in SHARE_SECONDS: talk, and batches of messages.

What goes beyond waits in the tenant's backlog, which has its turn among those of the others. A task takes 64 texts.
"""


class BrokerPause:
    """Whether the broker failed a moment ago."""

    def __init__(self) -> None:
        self._until = 0.0

    @property
    def is_on(self) -> bool:
        """Whether nothing is to be published now."""
        return time.monotonic() < self._until

    def begin(self) -> None:
        """Publish nothing for a while."""
        self._until = time.monotonic() + PAUSE_SECONDS

    def end(self) -> None:
        """Publish again."""
        self._until = 0.0


PAUSE = BrokerPause()
"""Of this process."""


def queue_embedding(tenant_id: int, conversation_id: int, *, is_batch: bool) -> None:
    """Enqueue once the transaction holds. A broker that is down costs a log line; the sweeper catches up."""
    priority = PRIORITY_NORMAL if is_batch else PRIORITY_HIGH
    after_commit(_publish_once, tenant_id, conversation_id, priority)


def queue_recovery(tenant_id: int) -> None:
    """Enqueue a run over a tenant's messages that were left behind, once the transaction holds."""
    after_commit(publish_in_one_try, partial(queue_backlog, find_task("episodes.embed_backlog"), tenant_id))


def queue_rest_of_conversation(conversation_id: int) -> None:
    """Enqueue the tenant's backlog when messages of the conversation still wait."""
    _queue_rest(MessagePassage.objects.filter(conversation_id=conversation_id))


def queue_rest_of_campaign(campaign_id: int) -> None:
    """Enqueue the tenant's backlog when summaries of the campaign still wait."""
    _queue_rest(SummaryPassage.objects.filter(campaign_id=campaign_id))


def _queue_rest(rows: QuerySet[Any]) -> None:
    waiting = rows.filter(embedding_state=EmbeddingState.PENDING).order_by()
    for tenant_id in waiting.values_list("tenant_id", flat=True)[:1]:
        publish_in_one_try(partial(queue_backlog, find_task("episodes.embed_backlog"), tenant_id))


def publish_in_one_try(publish: Callable[[], object]) -> None:
    """Publish, unless the broker failed a moment ago; after a failure nothing is published for a while."""
    if PAUSE.is_on:
        return
    try:
        publish()
    except Exception as error:
        if classify_outage(error) is not REDIS_UNAVAILABLE:
            raise
        PAUSE.begin()
        log.warning("embedding_not_queued", error=type(error).__name__, pause_seconds=PAUSE_SECONDS)


def take_up_queued(conversation_id: int) -> None:
    """From now on a new message queues a new task; the task that calls this then sees all that came before."""
    priorities = (PRIORITY_HIGH, PRIORITY_NORMAL)
    get_redis().delete(*[_build_marker(conversation_id, priority) for priority in priorities])


def mark_renewal(tenant_id: int) -> bool:
    """Whether no run over the tenant's vectors of another embedder was at work in the last ten minutes."""
    key = build_key("vector-renewal", tenant_id)
    return get_redis().set(key, 1, ex=RENEWAL_SECONDS, get=True) is None


def _publish_once(tenant_id: int, conversation_id: int, priority: int) -> None:
    """Publish a task unless one waits that has not begun: that one will see the messages of this transaction.

    One try: after a failure nothing is published for a while, and no marker holds back the first task behind it.
    """
    publish_in_one_try(partial(_mark_and_publish, tenant_id, conversation_id, priority))


def _mark_and_publish(tenant_id: int, conversation_id: int, priority: int) -> None:
    marker = _build_marker(conversation_id, priority)
    with claim_marker(marker, QUEUED_SECONDS) as is_free:
        if not is_free:
            return
        if _take_share(tenant_id, priority):
            find_task("episodes.embed_messages").apply_async((conversation_id,), priority=priority, retry=False)
        else:
            get_redis().delete(marker)
            queue_backlog(find_task("episodes.embed_backlog"), tenant_id)


def _take_share(tenant_id: int, priority: int) -> bool:
    """Whether the tenant may put one more task before the backlogs now."""
    key = build_key("embedding-share", tenant_id, priority)
    pipeline = get_redis().pipeline(transaction=True)
    pipeline.set(key, 0, nx=True, ex=SHARE_SECONDS)
    pipeline.incr(key)
    return int(pipeline.execute()[1]) <= SHARES[priority]


def _build_marker(conversation_id: int, priority: int) -> str:
    return build_key("embedding-queued", conversation_id, priority)
