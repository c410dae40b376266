"""The fitted part of hearing in one file: kinds of statements, values of statements, and what is believed.

``manage.py fit_hearing_model`` fits it to the labelled lines of ``qa/facts``; figures: ``docs/benchmarks.md``.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from factcheck.core.weight_files import read_weights, write_weights
from factcheck.instant.core.statement_kinds import WEIGHTS, KindModel
from factcheck.instant.core.value_choice import ValueModel

SHIPPED_MODEL = Path(__file__).resolve().parents[2] / "pattern_sets" / "hearing.npz"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Log-odds from which a value is believed that no pattern heard, and below which even a pattern's is not."""

    accept: float
    refuse: float
    sure: float = -99.0
    """From here on what protects a person is out of doubt that no pattern heard."""
    sure_heard: float = -99.0
    """The same of what a pattern heard."""

    def find(self, *, is_heard: bool) -> float:
        """The limit of a value that a pattern heard, or of another."""
        return self.refuse if is_heard else self.accept

    def find_sure(self, *, is_heard: bool) -> float:
        """From where on a value that is believed is out of doubt."""
        return self.sure_heard if is_heard else self.sure


@dataclass(frozen=True, slots=True)
class HearingModel:
    """All weights of one version."""

    version: str
    embedder: str
    """The name of the embedder whose vectors it was fitted to; with others its scores mean nothing."""
    kinds: KindModel
    values: ValueModel
    thresholds: Mapping[str, Thresholds]
    """By kind; a kind without them is heard by patterns alone."""


def name_version(kinds: KindModel, values: ValueModel) -> str:
    """A short name that changes with the weights."""
    digest = hashlib.sha256()
    for weights in (*(getattr(kinds, name) for name in WEIGHTS), values.weights):
        digest.update(weights.astype(np.float16).tobytes())
    return digest.hexdigest()[:8]


def save_model(model: HearingModel, path: Path) -> None:
    """Writes the weights in half precision, and everything else as JSON beside them in the file."""
    described = {
        "version": model.version,
        "embedder": model.embedder,
        "kinds": model.kinds.kinds,
        "kind_weight": model.values.kind_weight,
        "bias": model.values.bias,
        "thresholds": {kind: [each.accept, each.refuse] for kind, each in model.thresholds.items()},
    }
    weights = {name: getattr(model.kinds, name) for name in WEIGHTS}
    write_weights(path, described, {**weights, "values": model.values.weights})


def read_model(path: Path) -> HearingModel:
    """The model of a file. Raises OSError, KeyError, and ValueError for a file that holds none."""
    stored = read_weights(path)
    described = stored.described
    weights = {name: stored.weights[name] for name in WEIGHTS}
    values = ValueModel(stored.weights["values"], described["kind_weight"], described["bias"])
    return HearingModel(
        version=described["version"],
        embedder=described["embedder"],
        kinds=KindModel(kinds=tuple(described["kinds"]), **weights),
        values=values,
        thresholds={kind: Thresholds(*pair) for kind, pair in described["thresholds"].items()},
    )


@functools.cache
def load_shipped_model() -> HearingModel:
    """The model that ships with the product, read once a process."""
    return read_model(SHIPPED_MODEL)
