"""What stands in where no embedder runs: vectors that say nothing, so that keywords decide alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from knowledge.search.embedding.base import Vectors

NAME = "none"


@dataclass(frozen=True, slots=True)
class KeywordsOnly:
    """Zero vectors of one number in a space of their own: texts are embedded anew once there is an embedder."""

    name: str = NAME
    dims: int = 1
    is_semantic: bool = False
    is_instant: bool = True
    query_prefix: str = ""
    passage_prefix: str = ""
    batch_size: int = 64
    unrelated_cosine: float = 0.0

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 1), all zero."""
        return np.zeros((len(texts), self.dims), dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 1), all zero: a search takes that for no vector at all."""
        return self.embed_documents(texts)
