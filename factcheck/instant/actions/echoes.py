"""Whether an assistant's message says again what a player said of themselves."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.forgetting.core.echoes import AssistantMessage
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.echoes import claims_fact, names_fact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.registry import get_compiled
from knowledge.facts.selectors import FactView


def is_echo(message: AssistantMessage) -> bool:
    """Whether it names a fact, by its value or its concept, whose words it answers, or claims one said before it."""
    concepts: ConceptTable = get_compiled().concepts
    since = _read(message.since)
    if not any(names_fact(message.content, fact, concepts) for fact in since):
        return False
    if any(names_fact(message.content, fact, concepts) for fact in _read(message.answered)):
        return True
    return any(claims_fact(message.content, fact, concepts) for fact in since)


def _read(views: Sequence[FactView]) -> list[KnownFact]:
    return [
        KnownFact(view.id, view.type, view.key, view.value, view.is_disputed, view.source)
        for view in views
        if view.key is not None and view.value is not None
    ]
