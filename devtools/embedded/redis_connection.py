"""A redis-py connection that starts the embedded server when it is first used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from redis.connection import UnixDomainSocketConnection


class EmbeddedRedisConnection(UnixDomainSocketConnection):
    """Connects to the embedded Redis, which is running from then on."""

    def connect(self, *args: Any, **kwargs: Any) -> None:
        """Start the server if it does not run, then connect."""
        from django.conf import settings

        from devtools.embedded.redis import ensure_redis

        ensure_redis(Path(settings.DATA_DIR))
        super().connect(*args, **kwargs)  # type: ignore[no-untyped-call]
