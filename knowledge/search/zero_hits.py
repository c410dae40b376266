"""Queries that found nothing: what players ask and canon does not say. Kept in Redis for thirty days."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import redis
import structlog

from memoryproject.redis import build_key, get_redis

log = structlog.get_logger(__name__)
KEEP_SECONDS = 30 * 24 * 3600
KEEP_QUERIES = 200
MAX_LOGGED_QUERY_LENGTH = 200


@dataclass(frozen=True, slots=True)
class ZeroHitQuery:
    """A query and how often it found nothing."""

    query: str
    count: int


def record_zero_hit(domain_index_id: int, query: str) -> None:
    """Counts the query; a search never fails for it."""
    key = build_key("zero-hits", domain_index_id)
    try:
        pipeline = get_redis().pipeline(transaction=False)
        pipeline.zincrby(key, 1, query[:MAX_LOGGED_QUERY_LENGTH].encode("utf-8", "replace"))
        pipeline.zremrangebyrank(key, 0, -KEEP_QUERIES - 1)
        pipeline.expire(key, KEEP_SECONDS)
        pipeline.execute()
    except redis.RedisError as error:
        log.warning("zero_hit_not_recorded", error=type(error).__name__)


def list_zero_hits(domain_index_id: int, *, limit: int = 20) -> list[ZeroHitQuery]:
    """The commonest queries that found nothing, most frequent first; empty without Redis."""
    try:
        rows: Any = get_redis().zrevrange(build_key("zero-hits", domain_index_id), 0, limit - 1, withscores=True)
    except redis.RedisError:
        return []
    return [ZeroHitQuery(query.decode("utf-8", "replace"), int(count)) for query, count in rows]


def forget_zero_hit(domain_index_id: int, query: str) -> None:
    """Takes a query off the list, once canon answers it."""
    get_redis().zrem(build_key("zero-hits", domain_index_id), query.encode("utf-8", "replace"))


def forget_zero_hits(domain_index_id: int, is_meant: Callable[[str], bool]) -> int:
    """How many queries were taken off the list because they are meant.

    Raises redis.RedisError: an outage must not pass for a deletion.
    """
    key = build_key("zero-hits", domain_index_id)
    kept = cast("list[bytes]", get_redis().zrange(key, 0, -1))
    meant = [query for query in kept if is_meant(query.decode("utf-8", "replace"))]
    return int(get_redis().zrem(key, *meant)) if meant else 0
