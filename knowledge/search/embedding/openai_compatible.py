"""Embeddings from any server that speaks OpenAI's protocol (OpenAI, vLLM, Ollama, TEI …)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable
from knowledge.search.core.truncate import truncate_vectors
from knowledge.search.embedding.base import Vectors
from knowledge.text.tokens import truncate_to_tokens
from memoryproject.breaker import CircuitBreaker
from memoryproject.lazy_modules import LazyModule
from memoryproject.model_answers import UNUSABLE, make_client

if TYPE_CHECKING:
    import openai
else:
    openai = LazyModule("openai")

REST_SECONDS = 10.0
"""For so long after a failure queries do not ask again: the runtime must not wait for a dead endpoint at every turn."""
MAX_VECTOR_BYTES = 512 * 1024
"""Of one text: 16,384 numbers written out with all their digits."""


@dataclass(frozen=True, slots=True)
class EmbeddingEndpoint:
    """Where the embeddings come from, and how long to wait for them."""

    base_url: str | None
    api_key: str = field(repr=False)
    document_timeout_seconds: float = 30.0
    query_timeout_seconds: float = 2.0
    max_retries: int = 2
    max_input_tokens: int = 8191
    batch_size: int = 96
    query_prefix: str = ""
    passage_prefix: str = ""
    unrelated_cosine: float = 0.0


class OpenAIEmbedder:
    """A model behind an endpoint. Asks for `dims`; a longer answer is cut to them and renormalised (Matryoshka)."""

    is_semantic = True
    is_instant = False
    batch_size = 64

    def __init__(self, endpoint: EmbeddingEndpoint, model: str, dims: int) -> None:
        self.endpoint = endpoint
        self.model = model
        self.dims = dims
        self.query_prefix, self.passage_prefix = endpoint.query_prefix, endpoint.passage_prefix
        self.unrelated_cosine = endpoint.unrelated_cosine
        self.name = _name_space(model, endpoint.passage_prefix)
        self._client = make_client(
            base_url=endpoint.base_url, api_key=endpoint.api_key, max_bytes=endpoint.batch_size * MAX_VECTOR_BYTES
        )
        self._asks_dimensions = True
        self._breaker = CircuitBreaker(max_failures=1, pause_seconds=REST_SECONDS)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims); asked for in batches, retried. Raises TextNotEmbeddable for a text on its own."""
        rows = np.zeros((len(texts), self.dims), dtype=np.float32)
        size = self.endpoint.batch_size
        for start in range(0, len(texts), size):
            batch = [self._fit(self.passage_prefix + text) for text in texts[start : start + size]]
            rows[start : start + len(batch)] = self._request(
                batch, timeout_seconds=self.endpoint.document_timeout_seconds, retries=self.endpoint.max_retries
            )
        return rows

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims); one try within the query time limit, none at all shortly after a failure."""
        if not self._breaker.may_pass():
            raise EmbedderUnavailable("The embedding endpoint failed a moment ago; it is not asked again yet.")
        try:
            vectors = self._request(
                [self._fit(self.query_prefix + text) for text in texts],
                timeout_seconds=self.endpoint.query_timeout_seconds,
                retries=0,
            )
        except (EmbedderUnavailable, EmbedderMisbehaves):
            self._breaker.note_failure()
            raise
        except TextNotEmbeddable:  # it answers
            self._breaker.note_success()
            raise
        self._breaker.note_success()
        return vectors

    def _fit(self, text: str) -> str:
        return truncate_to_tokens(text, self.endpoint.max_input_tokens) or " "

    def _request(self, batch: list[str], *, timeout_seconds: float, retries: int) -> Vectors:
        client = self._client.with_options(timeout=timeout_seconds, max_retries=retries)
        try:
            return self._check(self._ask(client, batch), expected=len(batch))
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            raise TextNotEmbeddable(f"The embedding endpoint refuses the text: {error.message[:300]}") from error
        except openai.OpenAIError as error:
            raise EmbedderUnavailable(f"The embedding endpoint failed: {type(error).__name__}.") from error
        except UNUSABLE as error:
            raise EmbedderMisbehaves(
                "The embedding endpoint's answer is not a list of equally long vectors."
            ) from error

    def _ask(self, client: openai.OpenAI, batch: list[str]) -> openai.types.CreateEmbeddingResponse:
        """The raw answer; a server that does not know `dimensions` is asked once more without, and remembered."""
        if self._asks_dimensions:
            try:
                return client.embeddings.create(
                    model=self.model, input=batch, dimensions=self.dims, encoding_format="float"
                )
            except openai.BadRequestError as error:
                if "dimension" not in str(error).lower():
                    raise
                self._asks_dimensions = False
        return client.embeddings.create(model=self.model, input=batch, encoding_format="float")

    def _check(self, answer: openai.types.CreateEmbeddingResponse, *, expected: int) -> Vectors:
        rows = sorted(answer.data, key=lambda row: row.index)
        vectors = np.asarray([row.embedding for row in rows], dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != expected or vectors.shape[1] < self.dims:
            raise EmbedderMisbehaves(
                f"Asked for {expected} vectors of {self.dims} dimensions, got an answer of shape {vectors.shape}."
            )
        if not np.isfinite(vectors).all():
            raise EmbedderMisbehaves("The embedding endpoint's answer holds numbers that are not finite.")
        return truncate_vectors(vectors, self.dims)


def _name_space(model: str, passage_prefix: str) -> str:
    """Provider and model, and what stands before every passage: with another prefix the vectors are others."""
    mark = f"+{hashlib.sha256(passage_prefix.encode()).hexdigest()[:8]}" if passage_prefix else ""
    return f"openai:{model}{mark}"
