"""Redis: the server of ``REDIS_URL``, else one embedded in the data directory."""

from typing import Any

from memoryproject.environment import read_float, read_text
from memoryproject.redis_breaker import Breaker
from memoryproject.settings.base import DATA_DIR

REDIS_URL = read_text("REDIS_URL")
EMBEDDED_REDIS = not REDIS_URL
REDIS_KEY_PREFIX = read_text("REDIS_KEY_PREFIX", "memory37")
REDIS_TIMEOUT_SECONDS = read_float("REDIS_TIMEOUT_SECONDS", 3.0, at_least=0.05)

REDIS_CONNECTION_OPTIONS: dict[str, Any] = {
    "socket_timeout": REDIS_TIMEOUT_SECONDS,
    "socket_connect_timeout": REDIS_TIMEOUT_SECONDS,
    "retry": Breaker(),
}
if EMBEDDED_REDIS:
    from devtools.embedded.places import redis_socket_path
    from devtools.embedded.redis_connection import EmbeddedRedisConnection

    REDIS_URL = f"unix://{redis_socket_path(DATA_DIR)}"
    REDIS_CONNECTION_OPTIONS["connection_class"] = EmbeddedRedisConnection
    del REDIS_CONNECTION_OPTIONS["socket_connect_timeout"]

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": f"{REDIS_KEY_PREFIX}:cache",
        "OPTIONS": REDIS_CONNECTION_OPTIONS,
    }
}
