"""What is known held against what the words of a player give today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Key = tuple[str, str]
"""Type and key of a fact."""


@dataclass(frozen=True, slots=True)
class FactState:
    """How an active fact stands. `is_stated`: the engine or a person said so, not a message alone.

    `is_protected`: an allergy or a ban, which no change of patterns ends.
    """

    value: str
    is_disputed: bool = False
    is_stated: bool = False
    is_protected: bool = False


@dataclass(frozen=True, slots=True)
class Differences:
    """What a rebuild would change, by key."""

    added: tuple[Key, ...] = ()
    changed: tuple[Key, ...] = ()
    ended: tuple[Key, ...] = ()
    disputes: tuple[Key, ...] = ()
    unheard: tuple[Key, ...] = ()
    """Protected facts that no words bear out today: they stay, for somebody to look at."""
    unchanged: int = 0

    @property
    def is_none(self) -> bool:
        """Whether there is nothing to change."""
        return not (self.added or self.changed or self.ended or self.disputes)


def compare_facts(known: Mapping[Key, FactState], rebuilt: Mapping[Key, FactState]) -> Differences:
    """What differs, each list in the order of its keys. Spelling in capitals counts for nothing.

    What the engine stated stays known, even where no words bear it out. So does what protects a person, told as
    `unheard`: patterns that no longer hear a statement, or newly hear a denial, do not end an allergy or a ban.
    """
    both = known.keys() & rebuilt.keys()
    changed = {key for key in both if known[key].value.casefold() != rebuilt[key].value.casefold()}
    disputes = {key for key in both - changed if known[key].is_disputed != rebuilt[key].is_disputed}
    lost = known.keys() - rebuilt.keys()
    unheard = {key for key in lost if known[key].is_protected and not known[key].is_stated}
    ended = {key for key in lost - unheard if not known[key].is_stated}
    return Differences(
        added=tuple(sorted(rebuilt.keys() - known.keys())),
        changed=tuple(sorted(changed)),
        ended=tuple(sorted(ended)),
        disputes=tuple(sorted(disputes)),
        unheard=tuple(sorted(unheard)),
        unchanged=len(both - changed - disputes) + len(lost - ended - unheard),
    )
