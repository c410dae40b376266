"""What JSON values may hold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def measure_depth(value: Any) -> int:
    """How deep a JSON value nests. Works level by level: a deep value never exhausts the stack."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, Mapping | list)]:
        depth += 1
        level = [inner for each in level for inner in (each.values() if isinstance(each, Mapping) else each)]
    return depth


def is_storable(text: str) -> bool:
    """Whether PostgreSQL stores a text: without NUL and without half of a surrogate pair."""
    if "\x00" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def validate_json(value: Any) -> str | None:
    """Why PostgreSQL does not store a JSON value as `jsonb`; None for one that it does."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return "It holds a number that is too large."
    if not all(is_storable(text) for text in _iterate_texts(value)):
        return "It holds a character that is no text: NUL, or half of a pair."
    return None


def _iterate_texts(value: Any) -> Iterator[str]:
    """All texts of a JSON value, names of members included."""
    level = [value]
    while level:
        deeper: list[Any] = []
        for each in level:
            if isinstance(each, str):
                yield each
            elif isinstance(each, Mapping):
                yield from each
                deeper += each.values()
            elif isinstance(each, list):
                deeper += each
        level = deeper
