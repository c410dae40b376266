"""Where a trip or a move goes, in the words that stated it: who says "Lisbon is off" names the trip so."""

from __future__ import annotations

from collections.abc import Iterator

from factcheck.instant.core.concepts import stems_of
from factcheck.instant.core.messages import fold
from factcheck.instant.core.takeback_words import load_takeback_words

JOURNEYS = ("trip", "move", "vacation", "going", "flying", "visiting", "travel")
"""How the keys of events begin that go to a place."""


def find_destinations(text: str) -> Iterator[tuple[str, ...]]:
    """The stems of each place that a message says its author goes to."""
    words = load_takeback_words()
    for match in words.goes_to.finditer(fold(text)):
        place = match["place"] or match["han"]
        if words.no_place.fullmatch(place.strip()) is None:
            yield stems_of(place)
