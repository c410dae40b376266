"""Which words of a message state a fact: an app above that reads language can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from episodes.facts.core import Quote
from episodes.models import Message
from knowledge.facts.core.types import canonical_key
from knowledge.facts.models import MemoryCorrection
from knowledge.facts.selectors import FactView

QuoteFinder = Callable[[Message, int, str], Sequence[Quote]]
"""The quotes in a message of the user with that primary key; the text is what the assistant said before it, empty where
that is unknown. No query."""

_finders: list[QuoteFinder] = []


def register_quote_finder(finder: QuoteFinder) -> None:
    """From now on pages for support ask it. Called in `ready()`."""
    _finders[:] = [finder]


def find_quotes(message: Message, *, end_user_id: int, previous: str = "") -> Sequence[Quote]:
    """All that a message states, by the registered finder; nothing of a forgotten one. No query."""
    if not _finders or message.forgotten_at is not None:
        return ()
    return _finders[0](message, end_user_id, previous)


def list_quote_ranges(
    quotes: Iterable[Quote], facts: Iterable[FactView], corrections: Iterable[MemoryCorrection] = ()
) -> list[tuple[int, int]]:
    """Where a message's content states those facts or makes those corrections."""
    ranges = [
        (row.quote_start, row.quote_end)
        for row in corrections
        if row.quote_start is not None and row.quote_end is not None
    ]
    keys = {(fact.type, canonical_key(fact.key)) for fact in facts if fact.key is not None}
    return ranges + [(quote.start, quote.end) for quote in quotes if (quote.fact_type, quote.fact_key) in keys]
