"""Rolls instead of `Math.random`: seeded, so that the same input has the same output, and kept for the trace."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

_UINT32 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll in [0, 1): of a probability for an entry, or of a group for its winner."""

    purpose: str  # `probability` or `group`
    subject: str  # `world.uid`, or the group
    value: float


class Dice:
    """Rolls in the order asked for. `given` come first: those of a trace replay it, those of a test fix it.

    Then follows mulberry32 of the seed: four lines in any language, so that a `Math.random` of another program can be
    replaced by the same rolls. Seed 1 gives .6270739405881613, .002735721180215478, .5274470399599522.
    """

    def __init__(self, seed: int, given: Sequence[float] = ()) -> None:
        self._seed = seed
        self._state = seed & _UINT32
        self._given = list(given)
        self.rolls: list[Roll] = []

    def roll(self, purpose: str, subject: str) -> float:
        """The next roll."""
        index = len(self.rolls)
        value = self._given[index] if index < len(self._given) else self._advance()
        self.rolls.append(Roll(purpose, subject, value))
        return value

    def roll_for(self, purpose: str, subject: str) -> float:
        """The roll of a subject, whatever was rolled before: an entry more elsewhere in the book changes no other."""
        index = len(self.rolls)
        digest = hashlib.blake2b(f"{self._seed}\0{purpose}\0{subject}".encode(errors="replace"), digest_size=8).digest()
        value = self._given[index] if index < len(self._given) else (int.from_bytes(digest) >> 11) / 2**53
        self.rolls.append(Roll(purpose, subject, value))
        return value

    def _advance(self) -> float:
        self._state = (self._state + 0x6D2B79F5) & _UINT32
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 15)) * (mixed | 1)) & _UINT32
        mixed ^= (mixed + (((mixed ^ (mixed >> 7)) * (mixed | 61)) & _UINT32)) & _UINT32
        return ((mixed ^ (mixed >> 14)) & _UINT32) / 2**32
