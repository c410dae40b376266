"""PostgreSQL: the server of ``DATABASE_URL``, else one embedded in the data directory."""

import os
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from memoryproject.environment import read_bool, read_int, read_text
from memoryproject.liveness import WatchedConnection
from memoryproject.settings.base import DATA_DIR, PROCESS

DATABASE_URL = read_text("DATABASE_URL")
EMBEDDED_POSTGRES = not DATABASE_URL
EMBEDDED_POSTGRES_DURABLE = read_bool("EMBEDDED_POSTGRES_DURABLE", default=True)

DATABASE_PREPARES_STATEMENTS = read_bool("DATABASE_PREPARES_STATEMENTS", default=True)
NEVER_UNASKED = 2**31
"""After how many calls psycopg prepares a statement of which nobody asked it: None would prepare none at all."""

DEFAULT_STATEMENT_TIMEOUT_MS = {"web": 30_000, "worker": 900_000}
DEFAULT_LOCK_TIMEOUT_MS = {"web": 10_000}
"""Who waits longer for a row is told that the database is busy, and comes again."""
POOL_MAX = read_int("DATABASE_POOL_MAX", {"web": 20}.get(PROCESS, 0))
MAX_PARALLEL_READS = min(read_int("MAX_PARALLEL_READS", (os.cpu_count() or 1) // 2), max(POOL_MAX - 1, 0))
"""How many requests of a process may read on a second connection: fewer than it has, so that none waits for ever."""
VECTOR_SEARCH_OPTIONS = "-c hnsw.ef_search=100 -c hnsw.iterative_scan=relaxed_order"
"""How pgvector walks an HNSW index: filters must not starve a search, so it goes on until the limit is reached."""


def parse_database_url(url: str) -> dict[str, Any]:
    """Django's connection settings for a ``postgresql://user:password@host:port/name?option=value`` URL."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL must begin with postgresql://")
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL must name a database: postgresql://host/NAME")
    try:
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured("DATABASE_URL holds a port that is not a number") from error
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "OPTIONS": options,
    }


def build_embedded_database() -> dict[str, Any]:
    """Django's connection settings for the server in the data directory, which runs from the first connection on."""
    from devtools.embedded.places import DATABASE_NAME, POSTGRES_USER, postgres_socket_dir

    return {
        "ENGINE": "devtools.embedded.backend",
        "NAME": DATABASE_NAME,
        "USER": POSTGRES_USER,
        "HOST": str(postgres_socket_dir(DATA_DIR)),
        "OPTIONS": {},
    }


def build_database() -> dict[str, Any]:
    """The default database with timeouts, and with a pool where many threads share a process."""
    database = build_embedded_database() if EMBEDDED_POSTGRES else parse_database_url(DATABASE_URL)
    statement_timeout_ms = read_int("DATABASE_STATEMENT_TIMEOUT_MS", DEFAULT_STATEMENT_TIMEOUT_MS.get(PROCESS, 0))
    options = database["OPTIONS"]
    options.setdefault("connect_timeout", read_int("DATABASE_CONNECT_TIMEOUT_SECONDS", 2, at_least=1))
    options["prepare_threshold"] = NEVER_UNASKED if DATABASE_PREPARES_STATEMENTS else None
    lock_timeout_ms = read_int("DATABASE_LOCK_TIMEOUT_MS", DEFAULT_LOCK_TIMEOUT_MS.get(PROCESS, 0))
    limits = f"-c statement_timeout={statement_timeout_ms} -c lock_timeout={lock_timeout_ms}"
    options["options"] = " ".join(filter(None, [options.get("options"), limits, VECTOR_SEARCH_OPTIONS]))
    if POOL_MAX:
        options["pool"] = {
            "min_size": min(2, POOL_MAX),
            "max_size": POOL_MAX,
            "timeout": read_int("DATABASE_POOL_TIMEOUT_SECONDS", 2, at_least=1),
            "connection_class": WatchedConnection,
            "max_idle": 300,
        }
        database["CONN_HEALTH_CHECKS"] = True
    database["CONN_MAX_AGE"] = 0
    return database


DATABASES = {"default": build_database()}
