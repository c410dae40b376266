"""The vector of a query: from the cache, else from the embedder, else none with the reason."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context

import numpy as np
import redis
import structlog

from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable
from knowledge.search.embedding.base import Embedder, Vectors
from knowledge.text.analysis import normalise
from memoryproject.database import release_connections
from memoryproject.redis import build_key, get_redis

log = structlog.get_logger(__name__)
CACHE_TTL_SECONDS = 3600
KEYS_AT_ONCE = 1000
QUERIES_AT_ONCE = 32
"""Of one process; further ones wait for a thread."""

Found = tuple[Vectors | None, str | None]
_Name = tuple[str, int, str]
_THREADS = ThreadPoolExecutor(QUERIES_AT_ONCE, thread_name_prefix="query-embedding")
_PREPARED: ContextVar[Mapping[_Name, Future[Found]]] = ContextVar("prepared_queries")


@contextmanager
def prepare_queries(wanted: Iterable[tuple[Embedder, str]]) -> Iterator[None]:
    """Asks remote embedders for all these queries at once: `embed_query` in the block waits for its own only.

    Each is asked once for a query, whether it answers or fails. Local embedders are left to the searches.
    """
    remote = {_name(embedder, query): (embedder, query) for embedder, query in wanted if not embedder.local}
    prepared = {name: _start(embedder, query) for name, (embedder, query) in remote.items()}
    token = _PREPARED.set(prepared)
    try:
        yield
    finally:
        _PREPARED.reset(token)


def embed_query(embedder: Embedder, query: str) -> Found:
    """The query's vector and None, or None and why there is none (`embedder_unavailable`, `embedder_misbehaves` …).

    A remote embedder's answers are kept in Redis for an hour; without Redis it is asked each time. Who waits for one
    holds no connection to the database meanwhile.
    """
    if embedder.local:
        return embedder.embed_query(query), None
    prepared = _PREPARED.get({}).get(_name(embedder, query))
    if prepared is None:
        return _fetch(embedder, query)
    if not prepared.done():
        release_connections()
    return prepared.result()


def _name(embedder: Embedder, query: str) -> _Name:
    return embedder.name, embedder.dims, query


def _start(embedder: Embedder, query: str) -> Future[Found]:
    """The query on its way, in the caller's context: what is logged names the request."""
    context = copy_context()
    return _THREADS.submit(lambda: context.run(_fetch, embedder, query))


def _fetch(embedder: Embedder, query: str) -> Found:
    key = _cache_key(hash_query(query))
    cached = _read_cache(key, embedder)
    if cached is not None:
        return cached, None
    release_connections()
    try:
        vector = embedder.embed_query(query)
    except (EmbedderUnavailable, EmbedderMisbehaves, TextNotEmbeddable) as error:
        log.warning("query_embedding_failed", code=error.code, embedder=embedder.name, detail=error.detail)
        return None, error.code
    _write_cache(key, embedder, vector)
    return vector, None


def forget_query_embeddings(digests: Iterable[str]) -> int:
    """How many queries lost their cached vectors, of whatever embedder, by the SHA-256 of the normalised query in hex.

    Raises redis.RedisError: an outage must not pass for a deletion.
    """
    keys = [_cache_key(digest) for digest in digests]
    deleted = 0
    for start in range(0, len(keys), KEYS_AT_ONCE):
        deleted += get_redis().delete(*keys[start : start + KEYS_AT_ONCE])
    return deleted


def hash_query(query: str) -> str:
    """SHA-256 of the normalised query in hex: what is cached under it is found without the query."""
    return hashlib.sha256(normalise(query).encode("utf-8", "surrogatepass")).hexdigest()


def _cache_key(digest: str) -> str:
    return build_key("query-embedding", digest)


def _field(embedder: Embedder) -> str:
    return f"{embedder.name}:{embedder.dims}"


def _read_cache(key: str, embedder: Embedder) -> Vectors | None:
    try:
        raw = get_redis().hget(key, _field(embedder))
    except redis.RedisError:
        return None
    if not isinstance(raw, bytes) or len(raw) != embedder.dims * 2:
        return None
    return np.frombuffer(raw, dtype=np.float16).astype(np.float32)


def _write_cache(key: str, embedder: Embedder, vector: Vectors) -> None:
    try:
        pipeline = get_redis().pipeline(transaction=False)
        pipeline.hset(key, _field(embedder), vector.astype(np.float16).tobytes())
        pipeline.expire(key, CACHE_TTL_SECONDS)
        pipeline.execute()
    except redis.RedisError as error:
        log.warning("query_embedding_not_cached", error=type(error).__name__)
