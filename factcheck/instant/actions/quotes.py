"""Which words of a message state facts, read again by the patterns of now."""

from __future__ import annotations

from episodes.facts.core import Quote
from episodes.models import Message
from factcheck.instant.actions.extraction import read_kept
from knowledge.facts.core.types import canonical_key


def find_quotes(message: Message, end_user_id: int, previous: str) -> list[Quote]:
    """The words of each fact in the message. Pure CPU."""
    reading = read_kept(message, end_user_id=end_user_id, previous=previous)
    return [Quote(fact.start, fact.end, fact.type, canonical_key(fact.key)) for fact in reading.facts]
