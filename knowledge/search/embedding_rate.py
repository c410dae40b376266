"""How fast texts get their vectors, over all workers: what an estimate of the rest is made of."""

from __future__ import annotations

import time

import redis
import structlog

from memoryproject.redis import build_key, get_redis

log = structlog.get_logger(__name__)
BUCKET_SECONDS = 10
BUCKETS = 30
"""Five minutes: long enough for texts of all lengths, short enough to notice that another worker helps."""


def record_embedded(count: int) -> None:
    """So many texts got their vectors now. Without Redis there is no estimate for a while."""
    if count <= 0:
        return
    key = _build_key(_get_bucket())
    try:
        pipeline = get_redis().pipeline(transaction=False)
        pipeline.incrby(key, count)
        pipeline.expire(key, BUCKET_SECONDS * (BUCKETS + 1))
        pipeline.execute()
    except redis.RedisError as error:
        log.warning("embedding_rate_not_recorded", error=type(error).__name__)


def get_embeddings_per_second() -> float | None:
    """Of the last five minutes, or of the time since the first of them; None while there are none. One round trip."""
    newest = _get_bucket()
    buckets = range(newest - BUCKETS + 1, newest + 1)
    try:
        counts = get_redis().mget([_build_key(bucket) for bucket in buckets])
    except redis.RedisError:
        return None
    known = [(bucket, int(count)) for bucket, count in zip(buckets, counts, strict=True) if count]
    if not known:
        return None
    seconds = max(time.time() - known[0][0] * BUCKET_SECONDS, 1.0)
    return sum(count for _, count in known) / seconds


def estimate_seconds(pending: int) -> float | None:
    """How long so many texts will take at the present rate; 0 for none, None while the rate is not known."""
    if pending <= 0:
        return 0.0
    rate = get_embeddings_per_second()
    return round(pending / rate, 1) if rate else None


def _get_bucket() -> int:
    return int(time.time() // BUCKET_SECONDS)


def _build_key(bucket: int) -> str:
    return build_key("embedding-rate", bucket)
