"""An embedder that needs no model and no network: signed feature hashing of words and of their character n-grams.

It matches spelling, not meaning, and is the same on every machine. Each distinct lexeme's features are worked out once.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from knowledge.text.analysis import analyse

NAME = "hashing-v1"

_NGRAM_LENGTHS = (3, 4)
_NGRAM_SHARE = 0.5
_TELLING_LENGTH = 6.0
_BATCH_TEXTS = 128
_MIX = 0x9E3779B97F4A7C15
_MASK = 0xFFFFFFFFFFFFFFFF


class HashingEmbedder:
    """Texts as unit vectors of hashed features; an empty text is the zero vector."""

    name = NAME

    def __init__(self, dims: int) -> None:
        if dims < 1:
            raise ValueError(f"dims must be at least 1, not {dims}")
        self.dims = dims

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, float32, of length 1 (0 for a text without lexemes)."""
        vectors = np.zeros((len(texts), self.dims), dtype=np.float32)
        for start in range(0, len(texts), _BATCH_TEXTS):
            batch = texts[start : start + _BATCH_TEXTS]
            vectors[start : start + len(batch)] = self._embed_batch(batch)
        return vectors

    def _embed_batch(self, texts: Sequence[str]) -> NDArray[np.float64]:
        places: list[NDArray[np.int64]] = []
        values: list[NDArray[np.float64]] = []
        repeats: list[float] = []
        sizes: list[int] = []
        offsets: list[int] = []
        for row, text in enumerate(texts):
            for lexeme, count in Counter(analyse(text)).items():
                feature_places, feature_values = _lexeme_features(lexeme, self.dims)
                places.append(feature_places)
                values.append(feature_values)
                sizes.append(len(feature_places))
                repeats.append(1.0 + math.log(count))
                offsets.append(row * self.dims)
        if not places:
            return np.zeros((len(texts), self.dims))
        flat_places = np.concatenate(places) + np.repeat(np.array(offsets), sizes)
        flat_values = np.concatenate(values) * np.repeat(np.array(repeats), sizes)
        sums = np.bincount(flat_places, weights=flat_values, minlength=len(texts) * self.dims)
        vectors = sums.reshape(len(texts), self.dims)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        units: NDArray[np.float64] = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
        return units


@lru_cache(maxsize=50_000)
def _lexeme_features(lexeme: str, dims: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Where a lexeme goes and with what signed weight: one feature for the whole, the rest shared by its n-grams."""
    marked = f"<{lexeme}>"
    ngrams = [
        marked[start : start + length]
        for length in _NGRAM_LENGTHS
        if len(marked) > length
        for start in range(len(marked) - length + 1)
    ]
    weight = _lexeme_weight(lexeme)
    share = math.sqrt(_NGRAM_SHARE / len(ngrams)) if ngrams else 0.0
    hashes = [_mixed_hash(marked)] + [_mixed_hash(ngram) for ngram in ngrams]
    places = np.array([(value >> 1) % dims for value in hashes], dtype=np.int64)
    signs = np.array([1.0 if value & 1 else -1.0 for value in hashes])
    signs[0] *= math.sqrt(1.0 - _NGRAM_SHARE) if ngrams else 1.0
    signs[1:] *= share
    return places, signs * weight


def _lexeme_weight(lexeme: str) -> float:
    """How telling a lexeme is likely to be without a corpus to ask: short ones are mostly function words."""
    return min(1.0, len(lexeme) / _TELLING_LENGTH)


def _mixed_hash(feature: str) -> int:
    mixed = (crc32(feature.encode("utf-8", "surrogatepass")) + 1) * _MIX & _MASK
    return mixed >> 31
