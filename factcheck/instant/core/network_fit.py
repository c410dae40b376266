"""Fitting the network that tells kinds of statements apart: Adam on the cross-entropy, rare kinds weighing more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from factcheck.instant.core.statement_kinds import Array, KindModel

UNITS = 64
NETWORKS = 3
"""Fitted from different beginnings, side by side in one hidden layer: their mean is steadier than each."""
EPOCHS = 40
BATCH_SIZE = 64
RATE = 2e-3
DECAY = 6e-6
"""Of the weights in each step: a few thousand lines know little about 25,000 weights."""


def fit_network(vectors: Array, labels: Array, kinds: Sequence[str]) -> KindModel:
    """The network for vectors of shape (texts, dims) and labels of shape (texts, kinds)."""
    mean, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    networks = [_fit_one((vectors - mean) / spread, labels, seed) for seed in range(NETWORKS)]
    hidden = np.concatenate([each[0] for each in networks], axis=1)
    return KindModel(
        kinds=tuple(kinds),
        hidden=(hidden / spread[:, None]).astype(np.float32),
        hidden_bias=(np.concatenate([each[1] for each in networks]) - (mean / spread) @ hidden).astype(np.float32),
        output=(np.concatenate([each[2] for each in networks]) / NETWORKS).astype(np.float32),
        output_bias=np.mean([each[3] for each in networks], axis=0).astype(np.float32),
    )


def _fit_one(inputs: Array, labels: Array, seed: int) -> list[Array]:
    """Hidden weights and biases, output weights and biases."""
    random = np.random.Generator(np.random.PCG64(seed))
    dims, kinds = inputs.shape[1], labels.shape[1]
    weights = [
        random.normal(0, np.sqrt(2 / dims), (dims, UNITS)).astype(np.float32),
        np.zeros(UNITS, dtype=np.float32),
        random.normal(0, np.sqrt(2 / UNITS), (UNITS, kinds)).astype(np.float32),
        np.zeros(kinds, dtype=np.float32),
    ]
    slopes = [np.zeros_like(each) for each in weights]
    spreads = [np.zeros_like(each) for each in weights]
    rarity = np.sqrt((len(labels) - labels.sum(axis=0)) / np.maximum(labels.sum(axis=0), 1))
    step = 0
    for _ in range(EPOCHS):
        order = random.permutation(len(inputs))
        for start in range(0, len(order), BATCH_SIZE):
            rows = order[start : start + BATCH_SIZE]
            step += 1
            for place, gradient in enumerate(_find_gradients(weights, inputs[rows], labels[rows], rarity)):
                slopes[place] = 0.9 * slopes[place] + 0.1 * gradient
                spreads[place] = 0.999 * spreads[place] + 0.001 * gradient**2
                move = (slopes[place] / (1 - 0.9**step)) / (np.sqrt(spreads[place] / (1 - 0.999**step)) + 1e-8)
                decay = DECAY if weights[place].ndim > 1 else 0
                weights[place] = (weights[place] * (1 - decay) - RATE * move).astype(np.float32)
    return weights


def _find_gradients(weights: Sequence[Array], inputs: Array, labels: Array, rarity: Array) -> list[Array]:
    hidden, hidden_bias, output, output_bias = weights
    before = inputs @ hidden + hidden_bias
    units = np.maximum(before, 0)
    odds = 1 / (1 + np.exp(-np.clip(units @ output + output_bias, -30, 30)))
    error = (odds - labels) * np.where(labels > 0, rarity, 1) / len(inputs)
    back = (error @ output.T) * (before > 0)
    return [inputs.T @ back, back.sum(axis=0), units.T @ error, error.sum(axis=0)]
