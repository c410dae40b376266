"""The embedder of tests: it matches spelling, not meaning, and says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.search.core.hashing_embedder import NAME, HashingEmbedder
from knowledge.search.embedding.base import Vectors


@dataclass(frozen=True, slots=True)
class OfflineEmbedder:
    """Deterministic hashing of words and character n-grams."""

    dims: int
    name: str = NAME
    is_semantic: bool = False
    is_instant: bool = True
    query_prefix: str = ""
    passage_prefix: str = ""
    batch_size: int = 64
    unrelated_cosine: float = 0.0

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims)."""
        return HashingEmbedder(self.dims).embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims)."""
        return self.embed_documents(texts)
