"""The vector of a query: from the cache, else from the embedder, else none with the reason."""

from __future__ import annotations

import hashlib

import numpy as np
import redis
import structlog

from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable
from knowledge.search.embedding.base import Embedder, Vectors
from knowledge.text.analysis import normalise
from memoryproject.redis import build_key, get_redis

log = structlog.get_logger(__name__)
CACHE_TTL_SECONDS = 3600


def embed_query(embedder: Embedder, query: str) -> tuple[Vectors | None, str | None]:
    """The query's vector and None, or None and why there is none (`embedder_unavailable`, `embedder_misbehaves` …).

    A remote embedder's answers are kept in Redis for an hour; without Redis it is asked each time.
    """
    if embedder.local:
        return embedder.embed_query(query), None
    key = _cache_key(embedder, query)
    cached = _read_cache(key, dims=embedder.dims)
    if cached is not None:
        return cached, None
    try:
        vector = embedder.embed_query(query)
    except (EmbedderUnavailable, EmbedderMisbehaves, TextNotEmbeddable) as error:
        log.warning("query_embedding_failed", code=error.code, embedder=embedder.name, detail=error.detail)
        return None, error.code
    _write_cache(key, vector)
    return vector, None


def _cache_key(embedder: Embedder, query: str) -> str:
    digest = hashlib.sha256(normalise(query).encode("utf-8", "surrogatepass")).hexdigest()
    return build_key("query-embedding", embedder.name, embedder.dims, digest)


def _read_cache(key: str, *, dims: int) -> Vectors | None:
    try:
        raw = get_redis().get(key)
    except redis.RedisError:
        return None
    if not isinstance(raw, bytes) or len(raw) != dims * 2:
        return None
    return np.frombuffer(raw, dtype=np.float16).astype(np.float32)


def _write_cache(key: str, vector: Vectors) -> None:
    try:
        get_redis().set(key, vector.astype(np.float16).tobytes(), ex=CACHE_TTL_SECONDS)
    except redis.RedisError as error:
        log.warning("query_embedding_not_cached", error=type(error).__name__)
