"""Fitted weights in a file: arrays in half precision, and what describes them as JSON beside them."""

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
from numpy.typing import NDArray

_DESCRIBED = "described"


@dataclass(frozen=True, slots=True)
class StoredWeights:
    """What such a file holds."""

    version: str
    """A digest of all of it."""
    described: dict[str, Any]
    weights: dict[str, NDArray[np.float32]]


def write_weights(path: Path, described: Mapping[str, Any], weights: Mapping[str, NDArray[np.float32]]) -> None:
    """Writes the file anew."""
    halves: dict[str, Any] = {name: value.astype(np.float16) for name, value in weights.items()}
    halves[_DESCRIBED] = np.frombuffer(json.dumps(described).encode(), dtype=np.uint8)
    with path.open("wb") as file:
        np.savez_compressed(file, **halves)


def read_weights(path: Path) -> StoredWeights:
    """Raises OSError, KeyError for a file without a description, and ValueError for one that is damaged or no such
    file.
    """
    weights: dict[str, NDArray[np.float32]] = {}
    try:
        with np.load(path, allow_pickle=False) as stored:
            text = stored[_DESCRIBED].tobytes()
            digest = hashlib.sha256(text)
            for name in sorted(set(stored.files) - {_DESCRIBED}):
                digest.update(stored[name].tobytes())
                weights[name] = stored[name].astype(np.float32)
    except (BadZipFile, zlib.error, EOFError) as error:
        raise ValueError(f"{path.name} is cut off or damaged") from error
    return StoredWeights(digest.hexdigest()[:8], json.loads(text), weights)
