"""The word lists that hearing goes by, out of `packs/words.yaml`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import yaml

from knowledge.text.folding import normalise

_FILE = Path(__file__).resolve().parents[2] / "packs" / "words.yaml"


@lru_cache(maxsize=64)
def read_words(name: str) -> frozenset[str]:
    """The words of one list, folded as messages are."""
    return frozenset(normalise(_load()[name]).split())


@lru_cache(maxsize=1)
def _load() -> dict[str, str]:
    loaded: dict[str, str] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return loaded
