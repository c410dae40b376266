"""What every embedder offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import EmbedderMisbehaves, EmbedderUnavailable, TextNotEmbeddable

Vectors = NDArray[np.float32]
PROBE = "probe"
Item = TypeVar("Item")
Outage = EmbedderUnavailable | EmbedderMisbehaves
Answers = list[Vectors | TextNotEmbeddable]


class Embedder(Protocol):
    """Texts to unit vectors of `dims` numbers. `name` and `dims` together name the vector space."""

    @property
    def name(self) -> str:
        """Provider and model, as stored beside every vector."""

    @property
    def dims(self) -> int:
        """Numbers in a vector."""

    @property
    def is_semantic(self) -> bool:
        """Whether it knows meaning, or only spelling."""

    @property
    def is_instant(self) -> bool:
        """Whether a vector costs less than a look into the cache."""

    @property
    def query_prefix(self) -> str:
        """What the embedder itself puts before a query, as its model was trained."""

    @property
    def passage_prefix(self) -> str:
        """What the embedder itself puts before a text that is searched."""

    @property
    def batch_size(self) -> int:
        """Texts that a run over a backlog gives it at once: what comes first waits for no more than these."""

    @property
    def unrelated_cosine(self) -> float:
        """What a query and a text that have nothing to do with each other usually score; 0 where it is not known."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims). Raises EmbedderUnavailable, EmbedderMisbehaves, TextNotEmbeddable."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims), all at once, within the query time limit. Raises as embed_documents."""


def scale_cosine(cosine: float, embedder: Embedder) -> float:
    """How alike two texts are, 0 for what usually is unrelated and 1 for the same: limits of similarity are held to it.

    Models differ in where their cosines lie. Example: with e5, whose unrelated texts score 0.75, 0.85 becomes 0.4.
    """
    return (cosine - embedder.unrelated_cosine) / (1.0 - embedder.unrelated_cosine)


def embed_each(embedder: Embedder, texts: Sequence[str]) -> Answers:
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


def embed_in_halves(
    embedder: Embedder, items: Sequence[Item], get_text: Callable[[Item], str]
) -> Iterator[tuple[Sequence[Item], Answers | Outage]]:
    """The items in portions with vectors or refusals; an item that breaks the endpoint comes alone, with the error.

    A portion that fails is halved until the culprit stands alone, so that it costs the others nothing. What was given
    out before an outage stands. Raises EmbedderUnavailable when the endpoint does not answer at all.
    """
    try:
        answers = embed_each(embedder, [get_text(item) for item in items])
    except (EmbedderUnavailable, EmbedderMisbehaves) as error:
        refuse_outage(embedder, error)
        if len(items) == 1:
            yield items, error
            return
        middle = len(items) // 2
        yield from embed_in_halves(embedder, items[:middle], get_text)
        yield from embed_in_halves(embedder, items[middle:], get_text)
        return
    yield items, answers


def refuse_outage(embedder: Embedder, error: Outage) -> None:
    """Raises EmbedderUnavailable when the endpoint does not answer for a harmless text either."""
    try:
        check_answers(embedder)
    except EmbedderUnavailable as outage:
        raise outage from error


def check_answers(embedder: Embedder) -> None:
    """Asks for a harmless text. Raises EmbedderUnavailable when that fails, too."""
    try:
        embedder.embed_documents([PROBE])
    except (EmbedderUnavailable, EmbedderMisbehaves, TextNotEmbeddable) as outage:
        raise EmbedderUnavailable(outage.detail) from outage
