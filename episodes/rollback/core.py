"""What a rollback does, in plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Ref = Mapping[str, Any]
"""What names one row for whoever asked: the engine's own ids, never keys of rows that the rollback itself makes."""


@dataclass(frozen=True, slots=True)
class PlayShift:
    """From one line of play to another: what belongs to `undone` checkpoints ends, to `restored` ones holds again."""

    tenant_id: int
    world_id: int
    campaign_pk: int
    campaign_id: str
    rollback_pk: int
    undone: frozenset[int]
    restored: frozenset[int]
    reason: str
    author: str


@dataclass(frozen=True, slots=True)
class StepChanges:
    """What a rollback did to rows of one kind."""

    undone: tuple[Ref, ...] = ()
    restored: tuple[Ref, ...] = ()
    changed: tuple[Ref, ...] = ()
    """What has another value now: `from` and `to`."""

    def __bool__(self) -> bool:
        return bool(self.undone or self.restored or self.changed)


RollbackStep = Callable[[PlayShift], StepChanges]
"""Undoes and restores the rows of one kind. Called under the campaign's lock, in the transaction that rolls back; a dry
run calls it, too, and takes the transaction back. So it works in the database alone, and enqueues `after_commit`."""

_steps: dict[str, RollbackStep] = {}


def register_rollback_step(name: str, step: RollbackStep) -> None:
    """From now on the step is part of each rollback; its name stands in answers. Called in `ready()`."""
    _steps[name] = step


def list_rollback_steps() -> Mapping[str, RollbackStep]:
    """The steps by name, in the order in which they came."""
    return dict(_steps)


def split_lines(now: frozenset[int], then: frozenset[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Of the checkpoints that hold now and held then: which no longer hold, and which hold again.

    >>> split_lines(frozenset({1, 2, 3}), frozenset({1, 4}))
    (frozenset({2, 3}), frozenset({4}))
    """
    return now - then, then - now
