"""Who lets go of what rested on a message that is read no more: the one list, which apps above join."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


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

_stores: dict[str, WithdrawalStore] = {}


def register_withdrawal_store(name: str, store: WithdrawalStore) -> None:
    """From now on the store hears of each message that is deselected; its name stands in answers. In `ready()`."""
    _stores[name] = store


def withdraw_from_stores(withdrawal: Withdrawal) -> Mapping[str, int]:
    """How many entries each store let go, by its name. Raises what a store raises."""
    return {name: store(withdrawal) for name, store in _stores.items()}
