"""The one Redis client of a process; keys of ours begin with ``REDIS_KEY_PREFIX``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import redis
from django.conf import settings


@cache
def get_redis() -> redis.Redis:
    """A thread-safe client with short timeouts; it starts the embedded server when that is used."""
    pool = redis.ConnectionPool.from_url(settings.REDIS_URL, **settings.REDIS_CONNECTION_OPTIONS)
    return redis.Redis(connection_pool=pool)


def build_key(*parts: object) -> str:
    """A key of ours: the installation's prefix and the parts, joined by colons."""
    return ":".join([settings.REDIS_KEY_PREFIX, *(str(part) for part in parts)])


@contextmanager
def claim_marker(marker: str, seconds: int) -> Iterator[bool]:
    """Whether nobody had the marker, which then stands for so many seconds; when the block fails it is taken back.

    For publishing one task at a time: what could not be published must not hold back the next try.
    """
    client = get_redis()
    is_free = bool(client.set(marker, 1, nx=True, ex=seconds))
    try:
        yield is_free
    except Exception:
        if is_free:
            client.delete(marker)
        raise
