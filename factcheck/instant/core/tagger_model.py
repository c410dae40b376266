"""The fitted tagger in one file: what is added to the embedder's layers, the heads over them, and what is believed.

``manage.py fit_tagger`` fits it with torch; numpy reads it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from factcheck.core.weight_files import read_weights, write_weights
from factcheck.instant.core.hearing_model import Thresholds
from factcheck.instant.core.skeleton_rows import TABLE_ROWS
from factcheck.instant.core.statement_kinds import Array
from factcheck.instant.core.word_choice import FEATURES, WordChoice

SHIPPED_TAGGER = Path(__file__).resolve().parents[2] / "pattern_sets" / "tagger.npz"
_HEADS = (
    "norm.scale",
    "norm.shift",
    "word",
    "word.bias",
    "text",
    "text.bias",
    "event",
    "event.bias",
    "skeletons",
    "skeletons.up",
)


@dataclass(frozen=True, slots=True)
class TaggerModel:
    """All weights of one version."""

    version: str
    embedder: str
    """The name of the embedder whose layers it fits."""
    beside: str
    """The version of the model of hearing beside which it judges: one that was fitted anew judges by itself."""
    kinds: tuple[str, ...]
    layers: Mapping[str, Array]
    """What is added to the layers and put into them, by the names of `StateReader`."""
    heads: Mapping[str, Array]
    choice: WordChoice
    thresholds: Mapping[str, Thresholds]
    """Of the kinds that it judges; of the others vectors do."""
    events: tuple[str, ...]
    """The keys of the events that the head of events tells apart."""
    min_event: float
    """The probability from which on it names an event that is said in words that no reader knows."""

    @property
    def norm(self) -> tuple[Array, Array]:
        """Of the states above the last layer."""
        return self.heads["norm.scale"], self.heads["norm.shift"]

    def build_word_vectors(self, rows: Sequence[Sequence[int]]) -> Array:
        """Shape (words, dims): what layers read of each word beside its pieces, by its rows (`hash_skeletons`)."""
        table = self.heads["skeletons"]
        nothing = np.zeros(table.shape[1], np.float32)
        means = np.stack([table[list(each)].mean(axis=0) if each else nothing for each in rows])
        vectors: Array = means @ self.heads["skeletons.up"]
        return vectors


def save_tagger(model: TaggerModel, path: Path) -> None:
    """Writes all but the version, which is made of the rest."""
    described = {
        "embedder": model.embedder,
        "beside": model.beside,
        "kinds": model.kinds,
        "choice": {kind: [round(float(each), 5) for each in row] for kind, row in model.choice.weights.items()},
        "thresholds": {kind: list(astuple(each)) for kind, each in model.thresholds.items()},
        "events": model.events,
        "min_event": model.min_event,
    }
    write_weights(path, described, {**model.layers, **model.heads})


def read_tagger(path: Path, *, is_chosen: bool = True) -> TaggerModel:
    """The tagger of a file. Raises OSError, KeyError, and ValueError for a file that holds none.

    Unless `is_chosen`, what is believed of it is to be fitted anew and may weigh other features.
    """
    stored = read_weights(path)
    described, weights = stored.described, stored.weights
    choice = {kind: np.array(row, dtype=np.float32) for kind, row in described["choice"].items()}
    if is_chosen and any(len(row) != FEATURES for row in choice.values()):
        raise ValueError(f"{path.name} weighs other features")
    if len(weights["skeletons"]) != TABLE_ROWS:
        raise ValueError(f"{path.name} has another table of skeletons")
    return TaggerModel(
        version=stored.version,
        embedder=described["embedder"],
        beside=described["beside"],
        kinds=tuple(described["kinds"]),
        layers={name: value for name, value in weights.items() if name not in _HEADS},
        heads={name: weights[name] for name in _HEADS},
        choice=WordChoice(choice),
        thresholds={kind: Thresholds(*row) for kind, row in described["thresholds"].items()},
        events=tuple(described["events"]),
        min_event=described["min_event"],
    )


def is_beside(version: str) -> bool:
    """Whether the layers that ship judge beside these weights of hearing."""
    try:
        return load_shipped_tagger().beside == version
    except (OSError, ValueError, KeyError):
        return False


@functools.cache
def load_shipped_tagger() -> TaggerModel:
    """The tagger that ships with the product, read once a process."""
    return read_tagger(SHIPPED_TAGGER)
