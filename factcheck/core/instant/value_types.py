"""What readers find in a sentence: values and events with their places, before any guard has looked at them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A key and its value, and where the folded text says so."""

    key: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReadEvent:
    """A coming event, where the folded text names it, its day if one is said, and when the fact about it ends."""

    key: str
    value: str
    start: int
    end: int
    happens_on: datetime.date | None
    expires_at: datetime.datetime
