"""One chat through both dialects: which entries only one of them brings in, and why."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge.lorebooks.activation.engine import Activation, activate
from knowledge.lorebooks.activation.inputs import ActivationDialect, ActivationSettings, BoundBook, Chat
from knowledge.lorebooks.activation.timed_state import TimedState
from knowledge.lorebooks.activation.trace import EntryTrace


@dataclass(frozen=True, slots=True)
class DialectDifference:
    """An entry that the dialects disagree on, with the sentence of each."""

    world: str
    uid: str
    title: str
    is_active_faithful: bool
    is_active_m37: bool
    faithful: str
    m37: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Both activations and their difference."""

    faithful: Activation
    m37: Activation
    differences: tuple[DialectDifference, ...]


def preview_activation(
    books: Sequence[BoundBook], chat: Chat, settings: ActivationSettings, state: TimedState | None = None, seed: int = 0
) -> Preview:
    """What fires on a sample chat by SillyTavern's rules and by ours, from the same state and seed."""
    known = state or TimedState()
    faithful = activate(books, chat, replace(settings, dialect=ActivationDialect.FAITHFUL), known, seed)
    m37 = activate(books, chat, replace(settings, dialect=ActivationDialect.M37), known, seed)
    return Preview(faithful, m37, compare_activations(faithful, m37))


def compare_activations(faithful: Activation, m37: Activation) -> tuple[DialectDifference, ...]:
    """The entries that only one of two activations of the same books brings in."""
    return tuple(
        DialectDifference(
            ours.world, ours.uid, ours.title, theirs.is_active, ours.is_active, theirs.describe(), ours.describe()
        )
        for theirs, ours in pair_entries(faithful, m37)
        if theirs.is_active != ours.is_active
    )


def pair_entries(faithful: Activation, m37: Activation) -> list[tuple[EntryTrace, EntryTrace]]:
    """Each entry in both activations of the same books, in SillyTavern's order.

    The orders differ: SillyTavern's comparison of a missing `order` leaves the entry where it stands. Two books of one
    name may have the same uid: those are paired as they come.
    """
    ours: dict[tuple[str, str], deque[EntryTrace]] = {}
    for trace in m37.trace.entries:
        ours.setdefault((trace.world, trace.uid), deque()).append(trace)
    return [(theirs, ours[theirs.world, theirs.uid].popleft()) for theirs in faithful.trace.entries]
