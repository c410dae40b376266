"""What is heard of a message: a fact with the words that prove it."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.pattern_rows import InstantPattern


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """A hard fact about the author of a message, with the words that prove it."""

    type: str
    key: str
    value: str
    language: str
    confidence: float
    pattern: str
    start: int
    end: int
    quote: str
    happens_on: datetime.date | None = None
    expires_at: datetime.datetime | None = None
    answers_previous: bool = False
    """Whether the assistant's question before it says what is meant: then that message is evidence as well."""
    is_doubtful: bool = False
    """Whether it is less than sure that it is stated: it is kept as disputed, and the player is asked."""


def make_fact(message: FoldedMessage, row: InstantPattern, key: str, value: str, start: int, end: int) -> ExtractedFact:
    """The fact that a row reads from `start` to `end` of a folded message."""
    first, last = message.locate(start, end)
    return ExtractedFact(
        type=row.type, key=key, value=value, language=row.language, confidence=row.confidence,
        pattern=f"{row.pack}/{row.name}", start=first, end=last, quote=message.source[first:last],
    )  # fmt: skip
