"""What is no fact and never becomes one: tastes, moods and habits, as far as the player states them more than once.

One remark of one session is talk of the moment, and proves nothing. Source: seed 002, fix 3 and K9.
"""

from __future__ import annotations

from collections.abc import Sequence

from factcheck.extraction.core.deltas import Delta
from factcheck.extraction.core.gate.doubts import find_doubt
from factcheck.extraction.core.gate.rules import GateRules
from factcheck.extraction.core.gate.sources import Source
from factcheck.extraction.core.gate.speakers import detect_speaker
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.instant.core.concepts import stems_of
from factcheck.instant.core.narrative_modes import Span

MIN_SESSIONS = 2
REFUSING_GUARDS = frozenset({"uncertainty", "condition", "quote", "other_subject", "play", "joke", "question"})
"""A denial or the past are what such a remark may be of: "it was bad"."""


def find_mood_refusal(
    said: Sequence[tuple[Source, Span]], delta: Delta, rules: GateRules
) -> tuple[VerdictCode, str] | None:
    """Why the player's quotes, each with its raw range, do not bear what is proposed; None where they do."""
    if len({source.message.session for source, _ in said}) < MIN_SESSIONS:
        return VerdictCode.NO_ANCHOR, "one session proves nothing lasting"
    for source, span in said:
        refusal = find_remark_doubt(source, span, delta, rules)
        if refusal is not None:
            return refusal
    words = {stem for source, (start, end) in said for stem in stems_of(source.message.content[start:end])}
    if not set(stems_of(delta.value)) or not words.issuperset(stems_of(delta.value)):
        return VerdictCode.VALUE_NOT_SAID, ""
    return None


def find_remark_doubt(source: Source, span: Span, delta: Delta, rules: GateRules) -> tuple[VerdictCode, str] | None:
    """Why a remark may not be meant of the player, or not be meant so; None where it is."""
    message = source.folded
    place = message.find_place(span[0]), message.find_place(span[1])
    sentence = message.sentence(*place)
    if detect_speaker(message, sentence, place) == "other":
        return VerdictCode.SUBJECT, "said of somebody else"
    doubt = find_doubt(message, sentence, delta.type, delta.value)
    kinds = rules.patterns.guard_sets.find_kinds(message, *place, fact_type="hard_ban")
    found = doubt or ", ".join(sorted(REFUSING_GUARDS.intersection(kinds)))
    return (VerdictCode.GUARDED, found) if found else None
