"""One embedded PostgreSQL and Redis for the whole run; a database and key space for each xdist worker."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
TEST_DATA_DIR = Path(__file__).resolve().parent.parent / ".data" / "test"

os.environ.setdefault("MEMORY37_DATA_DIR", str(TEST_DATA_DIR))
os.environ.setdefault("EMBEDDED_POSTGRES_DURABLE", "false")
os.environ.setdefault("PRODUCTION", "false")
os.environ["REDIS_KEY_PREFIX"] = f"memory37-test-{WORKER or 'main'}"
for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "EMBEDDING_BASE_URL", "EMBEDDING_MODEL", "CHAT_MODEL"):
    os.environ.pop(name, None)


def pytest_configure(config: pytest.Config) -> None:
    """Start the services in the process that outlives all workers."""
    if WORKER or config.option.collectonly:
        return
    data_dir = Path(os.environ["MEMORY37_DATA_DIR"]).resolve()
    (data_dir / "static").mkdir(parents=True, exist_ok=True)
    from memoryproject.embedded import ensure_postgres, ensure_redis

    if not os.environ.get("DATABASE_URL"):
        ensure_postgres(data_dir, durable=os.environ["EMBEDDED_POSTGRES_DURABLE"] == "true")
    if not os.environ.get("REDIS_URL"):
        ensure_redis(data_dir)


def flush_redis_keys() -> None:
    """Delete what this worker's tests wrote to Redis, and nothing else."""
    from django.conf import settings

    from memoryproject.redis import get_redis

    client = get_redis()
    keys = list(client.scan_iter(match=f"{settings.REDIS_KEY_PREFIX}:*", count=1000))
    if keys:
        client.delete(*keys)


@pytest.fixture(autouse=True)
def _clean_redis(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests that may use the database or ask for ``redis`` end with an empty key space."""
    yield
    if request.node.get_closest_marker("django_db") or {"redis", "db", "transactional_db", "client"} & set(
        request.fixturenames
    ):
        flush_redis_keys()


@pytest.fixture
def redis():
    """The shared Redis client over this worker's own key space."""
    from memoryproject.redis import get_redis

    flush_redis_keys()
    return get_redis()
