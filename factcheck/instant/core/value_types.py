"""What readers find in a sentence: values and events with their places, before any guard has looked at them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A key and its value, and where the folded text says so: a measure, a sum, a standing instruction."""

    key: str
    value: str
    start: int
    end: int
    is_doubtful: bool = field(default=False, kw_only=True)
    """Whether the words beside it speak against it: of an event that it is coming, and the author's or of somebody
    close, of a wish that it is the author's.
    """


@dataclass(frozen=True, slots=True)
class ReadEvent(ReadValue):
    """A coming event, with its day if one is said, and when the fact about it ends."""

    happens_on: datetime.date | None
    expires_at: datetime.datetime
    is_recent: bool = False
    """Whether it has just happened to its author or theirs, in words that say so plainly: "we split up"."""
