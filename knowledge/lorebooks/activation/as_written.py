"""What SillyTavern makes of members that its file leaves out or nulls: it reads entries as they are, without defaults.

Readers fill in what an author means by a missing member; the faithful dialect must act as SillyTavern does. Files that
SillyTavern itself has written leave nothing out. Left aside: a missing `depth`, and `selectiveLogic` in scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cmp_to_key
from typing import Any, TypeVar

from knowledge.lorebooks.core.book import ALWAYS_PERCENT, DEFAULT_ORDER, Entry, Number
from knowledge.lorebooks.core.vocabulary import Dialect

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WrittenEntry:
    """An entry as SillyTavern acts on it."""

    entry: Entry
    uid: str  # `undefined` where the file has none: such entries are one to SillyTavern
    has_position: bool = True  # without one, content stands nowhere


def read_as_sillytavern(entry: Entry, dialect: Dialect) -> WrittenEntry:
    """The entry with SillyTavern's reading of what is missing; a member that was edited since is no longer missing."""
    raw = entry.raw
    if dialect is not Dialect.SILLYTAVERN or not raw:
        return WrittenEntry(entry, entry.uid)
    changes: dict[str, Any] = {}
    if entry.is_selective and _is_missing(raw, "selective"):
        changes["is_selective"] = False
    if entry.use_probability and _is_missing(raw, "useProbability"):
        changes["use_probability"] = False
    if entry.probability == ALWAYS_PERCENT and (value := _read_number(raw, "probability")) is not None:
        changes["probability"] = value
    if entry.order == DEFAULT_ORDER and _is_missing(raw, "insertion_order"):
        order = _read_number(raw, "order")
        changes |= {} if order is None else {"order": order}
    uid = str(raw.get("uid", "undefined"))
    return WrittenEntry(replace(entry, **changes) if changes else entry, uid, not _is_missing(raw, "position"))


def sort_by_order(items: Iterable[T], order: Callable[[T], Number]) -> list[T]:
    """Highest order first, stable. JavaScript takes a comparison with no number for equal."""
    found = list(items)
    if any(math.isnan(order(item)) for item in found):

        def compare(first: T, second: T) -> int:
            return _compare(order(second), order(first))

        return sorted(found, key=cmp_to_key(compare))
    return sorted(found, key=lambda item: -order(item))


def _compare(first: Number, second: Number) -> int:
    return (first > second) - (first < second)


def _is_missing(raw: Mapping[str, Any], name: str) -> bool:
    extensions = raw.get("extensions")
    return name not in raw and not (isinstance(extensions, Mapping) and name in extensions)


def _read_number(raw: Mapping[str, Any], name: str) -> Number | None:
    """0 of null and no number of what is missing, as JavaScript compares; None where the file has a number."""
    if _is_missing(raw, name):
        return math.nan
    return 0 if raw.get(name, 1) is None else None
