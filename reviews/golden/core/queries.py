"""What a golden query says, which changes of it need a second person, and the hash of a set of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

COLUMNS: Final = (
    "query",
    "language",
    "must_hit",
    "must_not_hit",
    "relevant",
    "k",
    "npc_id",
    "tags",
    "note",
    "active",
)
"""What a golden query says besides its key."""
JUDGING_COLUMNS: Final = tuple(name for name in COLUMNS if name not in ("tags", "note"))
"""What decides whether a run of it passes. Tags and notes do not."""


def read_columns(query: object) -> dict[str, Any]:
    """The query's columns as JSON values."""
    return {name: _copy(getattr(query, name)) for name in COLUMNS}


def is_guarded(before: Mapping[str, Any], after: Mapping[str, Any] | None) -> bool:
    """Whether a change (to None: a deletion) touches what an active query can close a gate with."""
    if not before["active"] or not (before["must_hit"] or before["must_not_hit"]):
        return False
    return after is None or any(before[name] != after[name] for name in JUDGING_COLUMNS)


def list_changes(before: Mapping[str, Any], after: Mapping[str, Any] | None) -> dict[str, list[Any]]:
    """Column to its value before and after, of those that differ."""
    if after is None:
        return {}
    return {name: [before[name], after[name]] for name in COLUMNS if before[name] != after[name]}


def hash_queries(queries: Iterable[tuple[str, Mapping[str, Any]]]) -> bytes:
    """SHA-256 of what the queries ask and expect, whatever their order."""
    rows = {key: [columns[name] for name in JUDGING_COLUMNS] for key, columns in queries}
    canonical = json.dumps(rows, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).digest()


def _copy(value: Any) -> Any:
    return list(value) if isinstance(value, list | tuple) else dict(value) if isinstance(value, Mapping) else value
