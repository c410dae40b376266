"""The vector of a query: from the cache, else from the embedder, else none with the reason."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context

import numpy as np
import redis
import structlog

from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable
from knowledge.search.embedding.base import Embedder, Vectors
from knowledge.text.folding import normalise
from memoryproject.database import release_connections
from memoryproject.redis import build_key, get_redis

log = structlog.get_logger(__name__)
CACHE_TTL_SECONDS = 3600
KEY_BATCH_SIZE = 1000
BATCHES_BATCH_SIZE = 32
"""Of one process; further ones wait for a thread."""

Found = tuple[Vectors | None, str | None]
_Space = tuple[str, int, str]
_THREADS = ThreadPoolExecutor(BATCHES_BATCH_SIZE, thread_name_prefix="query-embedding")
_PREPARED: ContextVar[Mapping[tuple[_Space, str], Future[dict[str, Found]]]] = ContextVar("prepared_queries")


@contextmanager
def prepare_queries(wanted: Iterable[tuple[Embedder, str]]) -> Iterator[None]:
    """Asks each embedder for all of its queries in one batch, all embedders at once: `embed_query` in the block waits
    for its own batch only.

    A query is asked for once, whether there is an answer or not. Instant embedders are left to the searches.
    """
    embedders: dict[_Space, Embedder] = {}
    queries: dict[_Space, dict[str, None]] = defaultdict(dict)
    for embedder, query in wanted:
        if not embedder.is_instant:
            embedders[_name(embedder)] = embedder
            queries[_name(embedder)][query] = None
    prepared: dict[tuple[_Space, str], Future[dict[str, Found]]] = {}
    for space, embedder in embedders.items():
        batch = _start(embedder, list(queries[space]))
        prepared |= {(space, query): batch for query in queries[space]}
    token = _PREPARED.set(prepared)
    try:
        yield
    finally:
        _PREPARED.reset(token)


def embed_query(embedder: Embedder, query: str) -> Found:
    """The query's vector and None, or None and why there is none (`embedder_unavailable`, `embedder_misbehaves` …).

    A query of which the embedder knows no word, so that its vector is zero, has None for both: it is near to nothing.

    Vectors are kept in Redis for an hour, for all processes, where forgetting a person reaches them; without Redis the
    embedder is asked each time. Who waits for one holds no connection to the database meanwhile.
    """
    vector, failure = _find(embedder, query)
    return (vector if vector is not None and vector.any() else None), failure


def _find(embedder: Embedder, query: str) -> Found:
    if embedder.is_instant:
        return embedder.embed_queries([query])[0], None
    prepared = _PREPARED.get({}).get((_name(embedder), query))
    if prepared is None:
        return _fetch(embedder, [query])[query]
    if not prepared.done():
        release_connections()
    return prepared.result()[query]


def _name(embedder: Embedder) -> _Space:
    return embedder.name, embedder.dims, embedder.query_prefix


def _start(embedder: Embedder, queries: Sequence[str]) -> Future[dict[str, Found]]:
    """The queries on their way, in the caller's context: what is logged names the request."""
    context = copy_context()
    return _THREADS.submit(lambda: context.run(_fetch, embedder, queries))


def _fetch(embedder: Embedder, queries: Sequence[str]) -> dict[str, Found]:
    """Each query's vector, from the cache or from one request for all that it lacks."""
    keys = {query: _cache_key(hash_query(query)) for query in queries}
    cached = _read_cache(list(dict.fromkeys(keys.values())), embedder)
    found: dict[str, Found] = {query: (cached[key], None) for query, key in keys.items() if key in cached}
    missing = [query for query in queries if query not in found]
    if missing:
        release_connections()
        found |= _ask(embedder, missing)
        _write_cache({keys[query]: found[query][0] for query in missing}, embedder)
    return found


def _ask(embedder: Embedder, queries: Sequence[str]) -> dict[str, Found]:
    """Of a batch that is refused each query is asked for by itself: one refusal costs the others nothing."""
    try:
        vectors = embedder.embed_queries(queries)
    except TextNotEmbeddable as error:
        if len(queries) > 1:
            return {query: _ask(embedder, [query])[query] for query in queries}
        return {query: _log_failure(embedder, error) for query in queries}
    except (EmbedderUnavailable, EmbedderMisbehaves) as error:
        return dict.fromkeys(queries, _log_failure(embedder, error))
    return {query: (vector, None) for query, vector in zip(queries, vectors, strict=True)}


def _log_failure(embedder: Embedder, error: EmbedderUnavailable | EmbedderMisbehaves | TextNotEmbeddable) -> Found:
    log.warning("query_embedding_failed", code=error.code, embedder=embedder.name, detail=error.detail)
    return None, error.code


def forget_query_embeddings(digests: Iterable[str]) -> int:
    """How many queries lost their cached vectors, of whatever embedder, by the SHA-256 of the normalised query in hex.

    Raises redis.RedisError: an outage must not pass for a deletion.
    """
    keys = [_cache_key(digest) for digest in digests]
    deleted = 0
    for start in range(0, len(keys), KEY_BATCH_SIZE):
        deleted += get_redis().delete(*keys[start : start + KEY_BATCH_SIZE])
    return deleted


def hash_query(query: str) -> str:
    """SHA-256 of the normalised query in hex: what is cached under it is found without the query."""
    return hashlib.sha256(normalise(query).encode("utf-8", "surrogatepass")).hexdigest()


def _cache_key(digest: str) -> str:
    return build_key("query-embedding", digest)


def _field(embedder: Embedder) -> str:
    return f"{embedder.name}:{embedder.dims}:{embedder.query_prefix}"


def _read_cache(keys: Sequence[str], embedder: Embedder) -> dict[str, Vectors]:
    """Key to vector, of those that are known. One round trip."""
    try:
        pipeline = get_redis().pipeline(transaction=False)
        for key in keys:
            pipeline.hget(key, _field(embedder))
        answers = pipeline.execute()
    except redis.RedisError:
        return {}
    return {
        key: np.frombuffer(raw, dtype=np.float16).astype(np.float32)
        for key, raw in zip(keys, answers, strict=True)
        if isinstance(raw, bytes) and len(raw) == embedder.dims * 2
    }


def _write_cache(vectors: Mapping[str, Vectors | None], embedder: Embedder) -> None:
    try:
        pipeline = get_redis().pipeline(transaction=False)
        for key, vector in vectors.items():
            if vector is not None:
                pipeline.hset(key, _field(embedder), vector.astype(np.float16).tobytes())
                pipeline.expire(key, CACHE_TTL_SECONDS)
        pipeline.execute()
    except redis.RedisError as error:
        log.warning("query_embedding_not_cached", error=type(error).__name__)
