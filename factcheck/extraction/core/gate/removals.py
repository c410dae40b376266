"""Whether a player's own words take back a fact that a model wants to remove."""

from __future__ import annotations

from factcheck.extraction.core.gate.rules import GateRules
from factcheck.extraction.core.gate.sources import Source
from factcheck.extraction.core.given import GivenFact
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.instant.core.corrections import detect_corrections
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.narrative_modes import Span
from knowledge.facts.core.types import PROTECTED_TYPES

_ENDING = ("ended", "replaced", "forgotten")


def find_removal(source: Source, fact: GivenFact, span: Span, rules: GateRules) -> tuple[bool, Span] | VerdictCode:
    """Whether the quoted words deny the fact outright, or doubt it, and where they do so; a code where neither.

    The readers are those of corrections: explicit first-person denials of the relation itself. A fact that is
    protected is never ended by what a model proposes, and a mere doubt is no ground to touch it.
    """
    if source.is_echo(span):
        return VerdictCode.ECHO
    known = KnownFact(fact.id, fact.type, fact.key, fact.value, fact.is_disputed, fact.source)
    corrections = detect_corrections(
        source.message.content,
        previous_assistant_text=source.previous.content if source.previous else "",
        facts=[known],
        extracted=source.heard,
        compiled=rules.patterns,
        concepts=rules.concepts,
        mode=source.message.frame,
        now=source.message.said_at,
    )
    is_protected = fact.is_protected or fact.type in PROTECTED_TYPES or known.is_protected
    for each in corrections:
        if known not in each.facts or not (each.start < span[1] and span[0] < each.end):
            continue
        is_explicit = each.effect in _ENDING and each.basis == "explicit"
        if is_protected and not is_explicit:
            continue
        if each.effect in (*_ENDING, "disputed"):
            return is_explicit and not is_protected, (each.start, each.end)
    return VerdictCode.NO_ANCHOR
