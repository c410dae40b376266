"""What is known of the player, as packs read it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from factcheck.instant.core.instruction_words import load_instruction_words
from knowledge.facts.core.instructions import INSTRUCTION
from knowledge.text.folding import normalise

OUTRANKED_BY: Mapping[str, frozenset[str]] = {
    "verbosity": frozenset({"length"}),
    "tone": frozenset({"tone", "formality"}),
    "language": frozenset({"language"}),
}
"""Field of a preference to the kinds of instructions before which it gives way where it is inferred."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of the player."""

    id: int
    type: str
    key: str
    value: str
    confidence: float
    source: str
    evidence: tuple[int, ...]
    valid_from: dt.datetime
    is_disputed: bool


def find_wished_language_code(facts: Sequence[Fact]) -> str | None:
    """The code of the language that the player asked to be answered in, for good."""
    wished = find_wished_language(facts)
    language = load_instruction_words().find_language(normalise(wished)) if wished else None
    return language.code if language is not None else None


def find_wished_language(facts: Sequence[Fact]) -> str | None:
    """The value of the standing instruction about the language to answer in."""
    wished = (
        fact.value for fact in facts if fact.type == INSTRUCTION and fact.key == "language" and not fact.is_disputed
    )
    return next(wished, None)


def list_outranked(facts: Sequence[Fact]) -> list[str]:
    """The fields of a preference about which the player asked for something for good, in undisputed instructions."""
    wishes = {fact.key for fact in facts if fact.type == INSTRUCTION and not fact.is_disputed}
    return [field for field, keys in OUTRANKED_BY.items() if wishes & keys]
