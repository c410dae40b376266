"""What a message does to known facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.known_facts import KnownFact
from factcheck.instant.core.messages import FoldedMessage
from factcheck.instant.core.narrative_modes import Span

Outcome = Literal[
    "denied", "replaced", "outdated", "wrong_subject", "ambiguous", "confirmed", "narrowed", "retracted", "forgotten",
    "unmatched",
]  # fmt: skip
Effect = Literal["ended", "disputed", "replaced", "restored", "forgotten", "none"]
Basis = Literal["", "explicit", "confirmed", "claim", "layers"]


def state_fact(
    message: FoldedMessage, type_: str, key: str, value: str, place: Span, *, language: str, pattern: str
) -> ExtractedFact:
    """A fact that the words at a place of the folded text state beside or instead of a known one."""
    first, last = message.locate(*place)
    return ExtractedFact(
        type=type_, key=key, value=value, language=language, confidence=0.95, pattern=f"correction/{pattern}",
        start=first, end=last, quote=message.source[first:last],
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Correction:
    """What a message does to known facts, why, and on what ground.

    `basis` says what an end rests on: an `explicit` denial of the relation itself, a denial that the player `confirmed`
    when asked, an answer to a `claim`, or what fitted `layers` read; the last two are too little for protected facts.
    `replacement` is what was said instead, not written anywhere yet; with `narrowed` it is the narrower thing, and the
    wider one is in doubt.
    """

    outcome: Outcome
    effect: Effect
    facts: tuple[KnownFact, ...]
    language: str
    pattern: str
    quote: str
    start: int = 0
    end: int = 0
    """Where the quote stands in the message as typed."""
    replacement: ExtractedFact | None = None
    basis: Basis = ""
