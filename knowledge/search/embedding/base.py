"""What every embedder offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable

Vectors = NDArray[np.float32]
PROBE = "probe"


class Embedder(Protocol):
    """Texts to unit vectors of `dims` numbers. `name` and `dims` together name the vector space."""

    @property
    def name(self) -> str:
        """Provider and model, as stored beside every vector."""

    @property
    def dims(self) -> int:
        """Numbers in a vector."""

    @property
    def semantic(self) -> bool:
        """Whether it knows meaning, or only spelling."""

    @property
    def local(self) -> bool:
        """Whether it works without a network, and so never fails."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims). Raises EmbedderUnavailable, EmbedderMisbehaves, TextNotEmbeddable."""

    def embed_query(self, text: str) -> Vectors:
        """Shape (dims,), within the query time limit. Raises as embed_documents."""


def embed_each(embedder: Embedder, texts: Sequence[str]) -> list[Vectors | TextNotEmbeddable]:
    """One vector or one refusal for each text: a batch that is refused is halved until the culprit stands alone.

    Raises EmbedderUnavailable and EmbedderMisbehaves, which concern all of them.
    """
    if not texts:
        return []
    try:
        return list(embedder.embed_documents(texts))
    except TextNotEmbeddable as refusal:
        if len(texts) == 1:
            return [refusal]
    middle = len(texts) // 2
    return embed_each(embedder, texts[:middle]) + embed_each(embedder, texts[middle:])


def refuse_outage(embedder: Embedder, error: EmbedderUnavailable | EmbedderMisbehaves) -> None:
    """Raises EmbedderUnavailable when the endpoint does not answer for a harmless text either."""
    try:
        embedder.embed_documents([PROBE])
    except (EmbedderUnavailable, EmbedderMisbehaves) as outage:
        raise EmbedderUnavailable(outage.detail) from error
