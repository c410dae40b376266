"""What is known of a player when a message comes, as far as corrections look at it."""

from __future__ import annotations

from dataclasses import dataclass

from knowledge.facts.core.types import PROTECTED_TYPES

PROTECTED_SOURCES = ("onboarding", "explicit")
"""What the engine or a person stated by itself: remarks in a chat do not outweigh it."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """An active fact that a correction may be about."""

    id: int
    type: str
    key: str
    value: str
    is_disputed: bool = False
    source: str = ""
    places: tuple[tuple[str, ...], ...] = ()
    """Of a journey: the stems of where it goes, as the words that stated it say."""

    @property
    def is_protected(self) -> bool:
        """Whether only an explicit denial of the relation itself ends it."""
        return self.type in PROTECTED_TYPES or self.source in PROTECTED_SOURCES
