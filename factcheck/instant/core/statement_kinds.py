"""What kind of statement a text makes about its author, told from its embedding by a small neural network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
WEIGHTS = ("hidden", "hidden_bias", "output", "output_bias")
"""Of a `KindModel`, by their names in files."""
_MAX_LOGIT = 30


@dataclass(frozen=True, slots=True)
class KindModel:
    """One hidden layer over the vectors of one embedder: for each kind the odds that a text states it."""

    kinds: tuple[str, ...]
    """Types of facts, in the order of the outputs."""
    hidden: Array
    """Shape (dims, units)."""
    hidden_bias: Array
    output: Array
    """Shape (units, kinds)."""
    output_bias: Array

    def score(self, vectors: Array) -> list[dict[str, float]]:
        """For each vector of shape (texts, dims) the log-odds by kind; several kinds may be likely."""
        units = np.maximum(vectors @ self.hidden + self.hidden_bias, 0)
        logits = np.clip(units @ self.output + self.output_bias, -_MAX_LOGIT, _MAX_LOGIT)
        return [dict(zip(self.kinds, map(float, row), strict=True)) for row in logits]
