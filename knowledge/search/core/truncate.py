"""Matryoshka truncation: fewer dimensions of an embedding, at unit length again."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def truncate_vectors(vectors: ArrayLike, dims: int) -> NDArray[np.float32]:
    """The first `dims` dimensions of every row, renormalised; rows of zeros stay zero.

    Raises ValueError when the rows have fewer dimensions, are no matrix or hold anything that is not finite.
    """
    matrix = np.asarray(vectors, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"embeddings must be rows of numbers, not an array of {matrix.ndim} dimensions")
    if dims < 1 or matrix.shape[1] < dims:
        raise ValueError(f"cannot take {dims} dimensions of embeddings that have {matrix.shape[1]}")
    cut = matrix[:, :dims]
    if not np.isfinite(cut).all():
        raise ValueError("embeddings must be finite numbers")
    norms = np.linalg.norm(cut, axis=1, keepdims=True)
    units: NDArray[np.float32] = np.divide(cut, norms, out=np.zeros_like(cut), where=norms > 0).astype(np.float32)
    return units
