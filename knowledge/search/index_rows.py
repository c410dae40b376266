"""A text as the search index stores it: lexemes hashed in its partition, BM25 weights, and the hash of what is
embedded."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pgvector import SparseVector

from knowledge.search.core.bm25 import DEFAULT_PARAMS, MAX_NON_ZEROS, BM25Params, document_weights
from knowledge.search.core.lexemes import SPARSE_DIMENSIONS, hash_lexeme
from knowledge.text.analysis import analyse_document


@dataclass(frozen=True, slots=True)
class IndexedText:
    """What a passage needs to be found by keywords."""

    length: int
    """Lexemes, repeats counted."""
    lexemes: list[int]
    """Distinct hashes in the partition, sorted."""
    bm25: SparseVector
    """The document's side of BM25."""


def index_text(text: str, *, partition_id: int, pivot: float, params: BM25Params = DEFAULT_PARAMS) -> IndexedText:
    """The keyword side of a passage. `pivot` is the partition's average length in lexemes."""
    counts = Counter(analyse_document(text))
    length = counts.total()
    if len(counts) > MAX_NON_ZEROS:
        counts = Counter(dict(counts.most_common(MAX_NON_ZEROS)))
    weights = document_weights(counts, length=length, pivot=pivot, params=params)
    return IndexedText(
        length=length,
        lexemes=sorted(hash_lexeme(partition_id, lexeme) for lexeme in counts),
        bm25=to_sparse_vector(weights.items()),
    )


def to_sparse_vector(weights: Iterable[tuple[int, float]]) -> SparseVector:
    """Weights by index (from 1, as PostgreSQL writes them) as a `sparsevec` value."""
    return SparseVector({index - 1: weight for index, weight in weights}, SPARSE_DIMENSIONS)


def hash_embedded_text(text: str) -> bytes:
    """SHA-256 of a text as it goes to the embedder: equal texts are embedded once."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
