"""Stores beyond these tables that must forget too: caches here, session memory of apps above."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten, by ids and hashes: the words themselves are handed to nobody."""

    tenant_id: int
    end_user_id: int
    message_ids: tuple[int, ...]
    text_hashes: tuple[str, ...]
    """SHA-256 of the normalised texts that are short enough to have been a query."""
    is_everything: bool = False
    """All that the user ever said: what was noted of them beside RAW goes too."""


MemoryStore = Callable[[Forgotten], int]
"""Clears what it holds of the forgotten messages and says how many entries that were. Called after the commit, perhaps
several times; once all is cleared it answers 0. Raises whatever went wrong: the receipt stays pending then."""

_stores: dict[str, MemoryStore] = {}


def register_memory_store(name: str, store: MemoryStore) -> None:
    """From now on the store hears of all that is forgotten; its name stands in receipts. Called in `ready()`."""
    _stores[name] = store


def list_memory_stores() -> Mapping[str, MemoryStore]:
    """The stores by name, in the order in which they came."""
    return dict(_stores)
