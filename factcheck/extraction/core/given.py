"""What a proposer is given: messages of one player's talks and what is known of the player now."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from factcheck.instant.core.narrative_modes import NarrativeMode

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GivenMessage:
    """A message as it was said. `is_new`: of the range that this run works off. `is_supporting`: of an open candidate,
    it may prove again. Others are there to be understood.

    `echoes` are spans that repeat what a context pack told: they prove nothing. `session` counts the player's sessions,
    split by gaps of more than 30 minutes.
    """

    id: int
    conversation_id: int
    seq: int
    role: str
    content: str
    frame: NarrativeMode
    language: str
    said_at: dt.datetime
    session: int = 0
    is_new: bool = True
    echoes: tuple[Span, ...] = ()
    is_supporting: bool = False


@dataclass(frozen=True, slots=True)
class GivenFact:
    """An active fact. `is_protected`: what only an explicit denial by the player, or a person, ends."""

    id: int
    type: str
    key: str
    value: str
    source: str
    confidence: float
    said_at: dt.datetime
    is_disputed: bool = False
    is_protected: bool = False


@dataclass(frozen=True, slots=True)
class GivenRemark:
    """Words of a player that were proposed as a taste or a mood before, and did not suffice: `content[start:end]`."""

    type: str
    key: str
    message_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Given:
    """One call's input. A proposer names messages and facts by their places here, from 1.

    `remarks` are of messages that may be among these: no proposer is told of them, the gate adds them up.
    """

    messages: tuple[GivenMessage, ...]
    facts: tuple[GivenFact, ...] = field(default=())
    remarks: tuple[GivenRemark, ...] = field(default=())

    def find_message(self, place: int) -> GivenMessage | None:
        """The message at a place, or None."""
        return self.messages[place - 1] if 1 <= place <= len(self.messages) else None

    def find_fact(self, place: int | None) -> GivenFact | None:
        """The fact at a place, or None."""
        return self.facts[place - 1] if place is not None and 1 <= place <= len(self.facts) else None
