"""The embedder of a machine without models: it matches spelling, not meaning, and says so."""

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
    semantic: bool = False
    local: bool = True

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims)."""
        return HashingEmbedder(self.dims).embed(texts)

    def embed_query(self, text: str) -> Vectors:
        """Shape (dims,)."""
        vector: Vectors = self.embed_documents([text])[0]
        return vector
