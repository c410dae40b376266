"""Who must forget when words or people are forgotten: the one list. Apps join it in `ready()`.

| what happens | store | called |
|---|---|---|
| messages are forgotten | `MemoryStore` | after the commit, until it answers 0 |
| facts are deleted by hand | `FactStore` | in the transaction, and after the commit |
| a user is erased | `NameStore` | in the transaction |
| an order to forget all is accepted | `GoneStore` | in the transaction |
| a message gives way to another alternative | `WithdrawalStore` | in the transaction |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memoryproject.forgetting.erased_names import ErasedName


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
    world_id: int | None = None
    """Only what was said in that world; None: in all of the tenant."""
    talks: tuple[tuple[int, str, str], ...] | None = None
    """Of an erasure: world, session and NPC of all that the user said in sessions. What they preferred there goes too;
    messages no longer tell."""


MemoryStore = Callable[[Forgotten], int]
"""Clears what it holds of the forgotten messages and says how many entries that were. Called after the commit, perhaps
several times; once all is cleared it answers 0. Raises whatever went wrong: the receipt stays pending then."""


@dataclass(frozen=True, slots=True)
class DeletedFacts:
    """Facts that lost key and value by hand, while the messages that they rest on stay."""

    tenant_id: int
    end_user_id: int
    fact_ids: tuple[int, ...]


FactStore = Callable[[DeletedFacts], int]
"""Clears what it holds of the facts and says how many entries that were. Called in the transaction that deletes them,
so that nothing stays when the process dies, and again after the commit, for what was written meanwhile."""


@dataclass(frozen=True, slots=True)
class ErasedUser:
    """A user whose id gives way to a placeholder, and by ids what else told of them and was changed."""

    tenant_id: int
    end_user_id: int
    name: ErasedName
    summary_ids: tuple[str, ...]
    event_ids: tuple[str, ...]
    flags: tuple[str, ...]
    npc_ids: tuple[str, ...]


NameStore = Callable[[ErasedUser], int]
"""Clears the id of an erased user from tables of an app above and says how many entries that were. Called in the
transaction that erases: nothing stays, or nothing changes."""


@dataclass(frozen=True, slots=True)
class Gone:
    """All that a user said, in one world or in the whole tenant: an order that was just accepted works it off."""

    tenant_id: int
    end_user_id: int
    world_id: int | None


GoneStore = Callable[[Gone], int]
"""Clears what pages and answers would still tell, and says how many entries that were. Called in the transaction that
accepts the order, in few queries whatever the user said; the batches hand the rest to each `MemoryStore`."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A message of a user lost its place to another alternative. RAW keeps it; nobody reads it."""

    tenant_id: int
    end_user_id: int
    conversation_id: int
    seq: int
    deselected_id: int
    selected_id: int

    @property
    def message_ids(self) -> tuple[int, int]:
        """Both alternatives."""
        return (self.deselected_id, self.selected_id)


WithdrawalStore = Callable[[Withdrawal], int]
"""Lets go of what rested on the deselected message and says how many entries that were. Called in the transaction that
deselects, under the locks of user, conversation and messages. What does not live in the database acts after commit."""

_memory_stores: dict[str, MemoryStore] = {}
_name_stores: dict[str, NameStore] = {}
_fact_stores: dict[str, FactStore] = {}
_gone_stores: dict[str, GoneStore] = {}
_withdrawal_stores: dict[str, WithdrawalStore] = {}


def register_memory_store(name: str, store: MemoryStore) -> None:
    """From now on the store hears of all that is forgotten; its name stands in receipts. Called in `ready()`."""
    _memory_stores[name] = store


def list_memory_stores() -> Mapping[str, MemoryStore]:
    """The stores by name, in the order in which they came."""
    return dict(_memory_stores)


def register_fact_store(name: str, store: FactStore) -> None:
    """From now on the store hears of facts that are deleted by hand. It works in the database. Called in `ready()`."""
    _fact_stores[name] = store


def purge_fact_stores(deleted: DeletedFacts) -> dict[str, int]:
    """What each store cleared. Raises what a store raises."""
    return {name: store(deleted) for name, store in _fact_stores.items()}


def register_name_store(name: str, store: NameStore) -> None:
    """From now on the store hears of users who are erased. Its count stands in receipts. Called in `ready()`."""
    _name_stores[name] = store


def purge_name_stores(erased: ErasedUser) -> dict[str, int]:
    """What each store cleared. Raises what a store raises."""
    return {name: store(erased) for name, store in _name_stores.items()}


def register_gone_store(name: str, store: GoneStore) -> None:
    """From now on the store hears of orders to forget or erase a user. Its count stands in receipts. In `ready()`."""
    _gone_stores[name] = store


def purge_gone_stores(gone: Gone) -> dict[str, int]:
    """What each store cleared. Raises what a store raises."""
    return {name: store(gone) for name, store in _gone_stores.items()}


def register_withdrawal_store(name: str, store: WithdrawalStore) -> None:
    """From now on the store hears of each message that is deselected; its name stands in answers. In `ready()`."""
    _withdrawal_stores[name] = store


def withdraw_from_stores(withdrawal: Withdrawal) -> Mapping[str, int]:
    """How many entries each store let go, by its name. Raises what a store raises."""
    return {name: store(withdrawal) for name, store in _withdrawal_stores.items()}


def list_subscribers() -> dict[str, list[str]]:
    """The names of all stores by what they hear of."""
    registries: dict[str, Mapping[str, object]] = {
        "messages": _memory_stores,
        "facts": _fact_stores,
        "names": _name_stores,
        "orders": _gone_stores,
        "withdrawals": _withdrawal_stores,
    }
    return {kind: sorted(stores) for kind, stores in registries.items()}
