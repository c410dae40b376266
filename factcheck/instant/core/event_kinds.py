"""Kinds of events that layers tell apart, so that one has its name that is said in other words: "signed the papers"."""

from __future__ import annotations

from collections.abc import Sequence

from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.labelled_lines import Expected
from factcheck.instant.core.messages import fold
from factcheck.instant.core.reader_words import compile_phrases, read_group
from knowledge.facts.core.types import LIFE_EVENT

EVENT_KINDS = (
    "anniversary", "birth", "birthday", "breakup", "christening", "competition", "court_hearing", "death",
    "divorce", "driving_test", "engagement", "exam", "funeral", "graduation", "hajj", "interview", "job_loss",
    "medical_tests", "military_service", "move", "new_job", "party", "pregnancy", "retirement", "scan", "surgery",
    "thesis_defense", "trip", "visa_appointment", "wedding",
)  # fmt: skip
"""Keys of those of which at least some forty labelled lines tell."""
NO_EVENT = -1


def find_event_kind(expected: Sequence[Expected], concepts: ConceptTable) -> int:
    """The number of the kind of event that a labelled line states; NO_EVENT for none, several, or one of no kind."""
    found = {_find_kind(each["any_of"], concepts) for each in expected if each["type"] == LIFE_EVENT}
    return EVENT_KINDS.index(kind) if len(found) == 1 and (kind := found.pop()) in EVENT_KINDS else NO_EVENT


def _find_kind(spellings: Sequence[str], concepts: ConceptTable) -> str:
    """The key of the first spelling that names an event; else of the first that says what is done."""
    for spelling in spellings:
        concept = concepts.find(spelling, "event")
        if concept is not None:
            return concept.key
    for spelling in map(fold, spellings):
        for key in read_group("event_verbs"):
            if spelling == key or compile_phrases("event_verbs", key).fullmatch(spelling):
                return key
    return ""
