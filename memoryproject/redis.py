"""The one Redis client of a process; keys of ours begin with ``REDIS_KEY_PREFIX``."""

from __future__ import annotations

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
