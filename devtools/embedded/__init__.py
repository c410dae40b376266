"""PostgreSQL and Redis from wheels, for machines on which none is named.

A process asks for a service when it first needs it: it attaches to the one that runs, or starts
it. A service stops with the last process that used it. A process that was killed leaves nothing
that keeps the next one from starting.
"""

from devtools.embedded.postgres import ensure_postgres, release_postgres, reset_database, revive_postgres
from devtools.embedded.redis import ensure_redis, release_redis, reset_redis, revive_redis
from memoryproject.errors import EmbeddedServiceError

__all__ = [
    "EmbeddedServiceError",
    "ensure_postgres",
    "ensure_redis",
    "release_postgres",
    "release_redis",
    "reset_database",
    "reset_redis",
    "revive_postgres",
    "revive_redis",
]
