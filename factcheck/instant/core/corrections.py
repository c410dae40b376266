"""Whether a message corrects, doubts, takes back or confirms what is known of its author, and which facts are meant.

What protects a person is easy to add and hard to remove: an allergy, a ban, or what was stated outright ends only on an
explicit denial of the relation itself, in the author's own words: in words that rules know, or in others where fitted
layers read the same (`vouched_denials`). Everything less disputes it at most.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

from factcheck.instant.core.additions import find_additions, may_add
from factcheck.instant.core.author_spans import AuthorSpans
from factcheck.instant.core.change_cases import ReadChange
from factcheck.instant.core.clause_patterns import load_clause_patterns
from factcheck.instant.core.concepts import ConceptTable
from factcheck.instant.core.correction_reader import CorrectionReader
from factcheck.instant.core.correction_results import Correction
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.instruction_denials import may_release
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.layer_changes import LayerChanges
from factcheck.instant.core.lexicon import load_lexicon
from factcheck.instant.core.messages import fold, fold_message
from factcheck.instant.core.narrative_modes import NarrativeMode
from factcheck.instant.core.patterns import CompiledPatterns
from factcheck.instant.core.slips import may_mend
from factcheck.instant.core.takeback_words import load_takeback_words
from factcheck.instant.core.takebacks import may_narrow

MAX_CORRECTION_LENGTH = 600
__all__ = ["Correction", "KnownFact", "detect_corrections", "may_correct", "may_take_back"]


def may_correct(text: str, *, compiled: CompiledPatterns) -> bool:
    """Whether a message holds words of a correction at all: a pass or two, before anything is looked up."""
    if len(text) > MAX_CORRECTION_LENGTH:
        return False
    folded, words = fold(text), load_takeback_words()
    return (
        bool(compiled.match_corrections(folded))
        or load_lexicon().may_deny(folded)
        or words.occurs(folded)
        or may_mend(folded, words)
        or may_add(folded, words)
        or load_clause_patterns().may_deny(folded)
        or may_release(folded)
    )


def may_take_back(text: str) -> bool:
    """Whether a message may be about the player's own last statement: a joke, a word to forget, a cancelled event."""
    if len(text) > MAX_CORRECTION_LENGTH:
        return False
    folded, words = fold(text), load_takeback_words()
    return words.takes_back(folded) or may_mend(folded, words) or may_add(folded, words) or may_narrow(folded, words)


def detect_corrections(
    text: str,
    *,
    previous_assistant_text: str,
    facts: Sequence[KnownFact],
    just_said: Sequence[KnownFact] = (),
    extracted: Sequence[ExtractedFact] = (),
    compiled: CompiledPatterns,
    concepts: ConceptTable,
    mode: NarrativeMode = "unknown",
    now: datetime.datetime | None = None,
    changes: Sequence[ReadChange] = (),
) -> list[Correction]:
    """The corrections that a message makes, the plainest reading alone; none if it makes none.

    `just_said` are the facts that the player's last message before this one stated: what "I was joking" and "forget
    that" are about. `changes` are what fitted layers take the message to do: it counts where rules find nothing, or no
    more than a doubt, and vouches for strange words in a denial. A correction that no fact fits is `unmatched`.
    """
    if len(text) > MAX_CORRECTION_LENGTH:
        return []
    message = fold_message(text)
    spoken = AuthorSpans(text, mode, is_topic=concepts.names_thing)
    if not spoken.says_anything:
        return []
    now = now or datetime.datetime.now(datetime.UTC)
    reader = CorrectionReader(
        message, spoken, facts, just_said, extracted, compiled, concepts, previous_assistant_text, now, changes
    )
    for read in (reader.read_takeback, reader.read_narrowing, reader.read_slip, reader.read_denials,
                 reader.read_cancelled, reader.read_value, reader.read_layers, reader.read_short):  # fmt: skip
        found = read()
        if found:
            return reader.weigh(found)
    return []


def detect_changes(
    text: str, *, previous_assistant_text: str, list_just_said: Callable[[], Sequence[KnownFact]],
    extracted: Sequence[ExtractedFact], concepts: ConceptTable, mode: NarrativeMode, changes: Sequence[ReadChange],
    **more: Any,
) -> tuple[list[Correction], tuple[ExtractedFact, ...]]:  # fmt: skip
    """The corrections that a message makes (see `detect_corrections`); where it makes none, what it adds to what is
    known. `list_just_said` is called where the message may be about the player's last statement.
    """
    is_asked = may_take_back(text) or any(each.fact.is_protected and each.change != "stays" for each in changes)
    just_said = list_just_said() if is_asked else []
    shared: dict[str, Any] = {
        "previous_assistant_text": previous_assistant_text, "just_said": just_said, "concepts": concepts, "mode": mode,
        "changes": changes,
    }  # fmt: skip
    corrections = detect_corrections(text, extracted=extracted, **shared, **more)
    if corrections:
        return corrections, ()
    said = {(fact.type, fact.key) for fact in extracted}
    added = find_additions(text, **shared)
    return [], tuple(fact for fact in added if (fact.type, fact.key) not in said)


def list_layer_corrections(
    text: str, changes: Sequence[ReadChange], *, extracted: Sequence[ExtractedFact], concepts: ConceptTable,
    mode: NarrativeMode = "unknown", previous: str = "", just_said: Sequence[KnownFact] = (),
) -> list[Correction]:  # fmt: skip
    """What fitted layers alone take a message to do, as far as rules let them, behind what the assistant said, and the
    author (`just_said`).
    """
    spoken = AuthorSpans(text, mode, is_topic=concepts.names_thing)
    referred = {fact.id for fact in just_said}
    found = LayerChanges(
        fold_message(text), spoken, changes, extracted, concepts, referred=referred, just_said=referred,
        previous=previous,
    )  # fmt: skip
    return list(found.list_corrections())
