"""The word lists that hearing goes by, out of `words.yaml`, `spelling.yaml` and `turns.yaml` of `pattern_sets`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from factcheck.core.yaml_files import read_yaml
from knowledge.text.folding import normalise

_FOLDER = Path(__file__).resolve().parents[2] / "pattern_sets"
_FILES = ("words.yaml", "spelling.yaml", "turns.yaml")


@lru_cache(maxsize=64)
def read_words(name: str) -> frozenset[str]:
    """The words of one list, folded as messages are."""
    return frozenset(normalise(_load()[name]).split())


def list_texts() -> list[str]:
    """All lists as they are written."""
    return list(_load().values())


@lru_cache(maxsize=1)
def _load() -> dict[str, str]:
    loaded: dict[str, str] = {}
    for name in _FILES:
        loaded |= read_yaml(_FOLDER / name)
    return loaded
