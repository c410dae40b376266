"""At most one run of a tenant's backlog waits at the broker; a run with work left queues the next at the very end.

Runs of all tenants wait in one line, so each tenant gets its turn whatever the others have waiting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog

from knowledge.errors import EmbedderUnavailable
from knowledge.search.backlog import EmbeddingReport
from memoryproject.outages import REDIS_UNAVAILABLE, classify_outage
from memoryproject.redis import build_key, claim_marker, get_redis

log = structlog.get_logger("memory37.enrichment")

PRIORITY_BACKLOG = 9
"""Behind all other work: a backlog may take an hour. Source: seed 002, fix 14 (recovery)."""
QUEUED_SECONDS = 600
"""After so long a run that was lost no longer holds back the next. Workers that are away for a night find few runs."""
REST_SECONDS = 120
"""After an outage nothing but the task's own retries (10, 20 and 40 s) asks for so long."""


def queue_backlog(task: Any, tenant_id: int, *, priority: int = PRIORITY_BACKLOG) -> bool:
    """Whether a run of the tenant's backlog was queued now: not while one waits, nor while the tenant rests."""
    with claim_marker(_build_marker(task, tenant_id), QUEUED_SECONDS) as is_free:
        if is_free:
            task.apply_async((tenant_id,), priority=priority, retry=False)
    return is_free


def run_backlog(
    task: Any,
    tenant_id: int,
    embed: Callable[[int], EmbeddingReport],
    has_backlog: Callable[[int], bool],
) -> EmbeddingReport:
    """What one run of a tenant's backlog did; the next is queued if this one got on and something still waits.

    A run that got nowhere queues nothing: what waits is held by another worker, or by one that was killed, and the
    sweeper looks again each minute. Raises EmbedderUnavailable when nothing at all could be embedded.
    """
    get_redis().delete(_build_marker(task, tenant_id))
    try:
        report = embed(tenant_id)
        if report.outage is not None and not report.done:
            raise report.outage
    except EmbedderUnavailable:
        get_redis().set(_build_marker(task, tenant_id), 1, ex=REST_SECONDS)
        raise
    if report.taken and has_backlog(tenant_id):
        _queue_next(task, tenant_id)
    return report


def _queue_next(task: Any, tenant_id: int) -> None:
    """A broker that is down costs a log line; the sweeper catches up."""
    try:
        queue_backlog(task, tenant_id)
    except Exception as error:
        if classify_outage(error) is not REDIS_UNAVAILABLE:
            raise
        log.warning("backlog_not_queued", tenant_id=tenant_id, error=type(error).__name__)


def _build_marker(task: Any, tenant_id: int) -> str:
    return build_key("embedding-backlog", task.name, tenant_id)
