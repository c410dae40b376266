"""Phrases that the readers of measures, sums and events go by, out of `packs/readers.yaml`."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from factcheck.core.instant.messages import fold

_FILE = Path(__file__).resolve().parents[2] / "packs" / "readers.yaml"
_ARABIC = re.compile("[\u0620-\u064a]")
_JOINED_BEFORE = "(?:[وف]?(?:ال|لل|بال|[بلك])?)?"
_LEFT, _RIGHT = r"(?<![\w'])", r"(?![\w])"


@lru_cache(maxsize=1)
def _load() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return loaded


def read_group(name: str) -> dict[str, str]:
    """The entries of a group by their names: a key or a kind to its phrases."""
    return dict(_load()[name])


@lru_cache(maxsize=128)
def compile_phrases(group: str, name: str = "") -> re.Pattern[str]:
    """An expression for the phrases of an entry, separated by commas; `*` behind a word stands for any ending.

    Arabic words are found with the article, prepositions and و that are joined to them, too.
    """
    entry = _load()[group]
    phrases = entry[name] if name else ",".join(entry.values()) if isinstance(entry, dict) else entry
    return compile_alternatives(phrases)


def compile_alternatives(phrases: str) -> re.Pattern[str]:
    """An expression for phrases that are separated by commas."""
    parts = sorted({" ".join(fold(part).split()) for part in phrases.split(",")} - {""}, key=len, reverse=True)
    return re.compile(f"{_LEFT}(?:{'|'.join(map(_make_expression, parts))}){_RIGHT}")


def _make_expression(phrase: str) -> str:
    words = [re.escape(word).replace(r"\*", r"[\w']*") for word in phrase.split()]
    before = _JOINED_BEFORE if _ARABIC.match(phrase) else ""
    return before + r"\s+".join(words)
