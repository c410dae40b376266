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
    def semantic(self) -> bool:
        """Whether it knows meaning, or only spelling."""

    @property
    def local(self) -> bool:
        """Whether it works without a network, and so never fails."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dims). Raises EmbedderUnavailable, EmbedderMisbehaves, TextNotEmbeddable."""

    def embed_query(self, text: str) -> Vectors:
        """Shape (dims,), within the query time limit. Raises as embed_documents."""


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
