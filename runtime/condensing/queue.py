"""What waits to be condensed, by tenant: a bounded set in Redis, and one job at a time that works it off.

Losing it costs nothing: what is told again without a short text is asked for again. Nothing here holds words.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, cast

import structlog

from episodes.embedding.actions.queue import publish_in_one_try
from memoryproject.chat_model import ModelUnavailable
from memoryproject.redis import build_key, claim_marker, get_redis

log = structlog.get_logger("memory37.condensing")

MAX_WAITING = 500
"""Of a tenant: a burst of packs is worked off in half an hour; what goes beyond is asked for again by later packs."""
WAIT_SECONDS = 86_400
MARKER_SECONDS = 600
"""After so long a job that was lost no longer holds back the next."""
REST_SECONDS = 120
"""After an outage the model is left alone for so long."""
RUN_SECONDS = 60.0
"""After so long a run queues the next one, so that other tenants get their turn."""
LEASE_SECONDS = 180
"""Of the one running job: more than one message may take, so that a killed worker blocks a tenant for minutes only."""
PRIORITY = 9
"""Behind all other work."""

_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


def queue_work(task: Any, tenant_id: int, items: Iterable[str]) -> None:
    """The items wait, and a job comes for them. A broker that is down costs a log line, once in a while."""
    items = list(items)
    if items:
        publish_in_one_try(partial(_add_and_publish, task, tenant_id, items))


def run_work(task: Any, tenant_id: int, work: Callable[[str], None], *, seconds: float = RUN_SECONDS) -> int:
    """How many items this job worked off; none while another of the tenant runs. What is left queues the next job.

    An item whose work is broken off by an outage waits again, and the tenant's jobs rest for a while.
    """
    client = get_redis()
    waiting, running = _key(task, tenant_id, "waiting"), _key(task, tenant_id, "running")
    token = uuid.uuid4().hex
    if not client.set(running, token, nx=True, ex=LEASE_SECONDS):
        return 0
    client.delete(_key(task, tenant_id, "queued"))
    done, until = 0, time.monotonic() + seconds
    try:
        while time.monotonic() < until:
            item = cast("bytes | None", client.spop(waiting))
            if item is None:
                break
            try:
                work(item.decode())
            except ModelUnavailable as error:
                client.sadd(waiting, item)
                client.set(_key(task, tenant_id, "queued"), "rest", ex=REST_SECONDS)
                log.warning("condensing_rests", tenant_id=tenant_id, error=error.code)
                return done
            done += 1
            client.expire(running, LEASE_SECONDS)
    finally:
        client.register_script(_RELEASE)(keys=[running], args=[token])
    if client.scard(waiting):
        publish_in_one_try(partial(_publish, task, tenant_id))
    return done


def _add_and_publish(task: Any, tenant_id: int, items: list[str]) -> None:
    client = get_redis()
    waiting = _key(task, tenant_id, "waiting")
    if client.scard(waiting) >= MAX_WAITING:
        return
    pipeline = client.pipeline(transaction=False)
    pipeline.sadd(waiting, *items)
    pipeline.expire(waiting, WAIT_SECONDS)
    pipeline.execute()
    _publish(task, tenant_id)


def _publish(task: Any, tenant_id: int) -> None:
    with claim_marker(_key(task, tenant_id, "queued"), MARKER_SECONDS) as is_free:
        if is_free:
            task.apply_async((tenant_id,), priority=PRIORITY, retry=False)


def _key(task: Any, tenant_id: int, name: str) -> str:
    return build_key("condensing", task.name, tenant_id, name)
