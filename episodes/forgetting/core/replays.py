"""Who knows what is known once words are forgotten: an app above that understands them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

FactIds = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FactChanges:
    """What became of facts, each list by their ids."""

    ended: FactIds = ()
    restored: FactIds = ()
    """They were known before, and are again."""
    added: FactIds = ()
    settled: FactIds = ()
    """Disputed, or disputed no more."""
    kept: FactIds = ()
    """They lost a message that proved them and rest on something else."""

    @property
    def is_none(self) -> bool:
        """Whether no fact changed."""
        return self == FactChanges()

    def as_lists(self) -> dict[str, list[int]]:
        """Of what a receipt keeps, the lists that are not empty."""
        lists = {"ended": self.ended, "restored": self.restored, "added": self.added, "settled": self.settled}
        return {name: list(ids) for name, ids in lists.items() if ids}

    def join(self, later: FactChanges) -> FactChanges:
        """Both; what came and ended again is told as neither."""
        came, ended = {*self.restored, *self.added}, {*later.ended}
        return FactChanges(
            ended=tuple(sorted({*self.ended, *(ended - came)})),
            restored=tuple(sorted({*self.restored, *later.restored} - ended)),
            added=tuple(sorted({*self.added, *later.added} - ended)),
            settled=tuple(sorted({*self.settled, *later.settled})),
            kept=tuple(sorted({*self.kept, *later.kept})),
        )


Replay = Callable[[], FactChanges]
"""Puts the facts right once the words are forgotten. Called in the transaction that forgets, under the user's lock."""


class FactReplay(Protocol):
    """Of an app above; registered in `ready()`."""

    def read_ahead(
        self, *, tenant_id: int, end_user_id: int, message_ids: Collection[int]
    ) -> AbstractContextManager[None]:
        """Embeds what a replay without these messages will read, before any lock; kept while the context is open."""
        ...

    def find(self, *, tenant_id: int, end_user_id: int, message_ids: Collection[int]) -> Replay | None:
        """What is to be done once they are forgotten; None where nothing rests on them. Called while they are kept."""
        ...


_replays: list[FactReplay] = []


def register_fact_replay(replay: FactReplay) -> None:
    """From now on forgetting some messages asks it. Called in `ready()`."""
    _replays[:] = [replay]


def get_fact_replay() -> FactReplay | None:
    """The one that was registered last."""
    return _replays[0] if _replays else None
