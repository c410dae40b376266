"""Events that layers found as details of another: of "moving house, got the keys" the keys."""

from __future__ import annotations

from collections.abc import Sequence

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.reader_words import read_group
from knowledge.facts.core.types import LIFE_EVENT


def without_details(facts: Sequence[ExtractedFact], concepts: ConceptTable) -> list[ExtractedFact]:
    """The facts without events that layers found as details of another, with no day of their own: of "moving house, got
    the keys" the move, of a `birth_son` beside a `birth` what a pattern heard.
    """
    known = [fact for fact in facts if fact.type == LIFE_EVENT and name_event(fact, concepts)]
    heard = {name_event(fact, concepts) for fact in known if not _is_by_layers(fact)}
    return [
        fact
        for fact in facts
        if fact.type != LIFE_EVENT
        or not _is_by_layers(fact)
        or (name_event(fact, concepts) not in heard and (fact in known or not known or fact.happens_on is not None))
    ]


def _is_by_layers(fact: ExtractedFact) -> bool:
    return "@" in fact.pattern


def name_event(fact: ExtractedFact, concepts: ConceptTable) -> str:
    """The event without whose it is or when; nothing where its key is but the words that were said."""
    parts = fact.key.split("_")
    verbs = read_group("event_verbs")
    names = ("_".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((name for name in names if name in concepts.concepts or name in verbs), "")
