"""Counters of what messages say about their authors."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import Counter

from factcheck.core.message_extraction import MessageExtraction, label_language
from memoryproject.metrics import DRIFT

INSTANT_EXTRACTIONS = Counter(
    "memory37_instant_extraction",
    "Facts read out of messages by patterns and kept or confirmed.",
    ["type", "language"],
)
SUPERSEDES = Counter(
    "memory37_instant_extraction_supersede", "Facts read out of messages that took the place of another value."
)
CORRECTIONS = Counter("memory37_memory_correction", "Corrections by players, matched or not.", ["type", "language"])
CORRECTIONS_DEACTIVATED = Counter(
    "memory37_memory_correction_fact_deactivated", "Facts ended or replaced by a correction.", ["language"]
)
CORRECTIONS_DISPUTED = Counter(
    "memory37_memory_correction_fact_disputed", "Facts disputed by a correction.", ["language"]
)
_ENDED = ("deactivated", "superseded")


def count_extractions(understood: Iterable[MessageExtraction]) -> None:
    """Count what came of messages; call it once it is committed."""
    for each in understood:
        for fact in each.facts:
            if fact.fact_id is not None:
                INSTANT_EXTRACTIONS.labels(type=fact.type, language=label_language(fact.language)).inc()
            if fact.outcome == "superseded":
                SUPERSEDES.inc()
        for place, correction in enumerate(each.corrections):
            language = label_language(correction.language)
            if place == 0:
                CORRECTIONS.labels(type=correction.type, language=language).inc()
            if correction.outcome in _ENDED:
                CORRECTIONS_DEACTIVATED.labels(language=language).inc()
                DRIFT.labels(source="player").inc()
            elif correction.outcome == "disputed":
                CORRECTIONS_DISPUTED.labels(language=language).inc()
