"""Names as they are compared: by the lexemes that search goes by, so that a name is known in any of its cases."""

from __future__ import annotations

from collections.abc import Collection

from knowledge.text.analysis import analyse_document

MAX_FOLDED_LENGTH = 160


def fold_name(name: str) -> str:
    """The lexemes of a name, each once, in order; empty where it has none."""
    return " ".join(dict.fromkeys(analyse_document(name)))[:MAX_FOLDED_LENGTH]


def is_named(folded: str, lexemes: Collection[str]) -> bool:
    """Whether a text with these lexemes holds all words of the name."""
    parts = folded.split()
    return bool(parts) and all(part in lexemes for part in parts)
