"""When a proposal that passed the gate is a fact at once, and when it waits for more evidence.

Source: seed 002, fix 1B, promotion rules (a) to (c).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from factcheck.extraction.core.verdicts import Verdict
from knowledge.facts.core.types import CRITICAL_TYPES

MIN_SUPPORTS = 2
"""Rule (c): independent statements."""
SESSION_GAP = dt.timedelta(minutes=30)
MAX_SHARED_WORDS = 0.6
"""Of two statements in one session: the share of words, beside the value, by which they are still two wordings."""


@dataclass(frozen=True, slots=True)
class Support:
    """One message that states a candidate. `words` are those of its quote without the value's, folded."""

    message_id: int
    conversation_id: int
    seq: int
    said_at: dt.datetime
    words: frozenset[str]
    session: int = 0
    """Of the player's, split where nothing was said for more than 30 minutes."""
    value_was_told: bool = False
    """Whether an assistant named the value between the statement before and this one."""


def is_fact_at_once(verdict: Verdict) -> bool:
    """Whether one accepted proposal makes a fact: of a hard type (a), or declared outright (b)."""
    return verdict.type in CRITICAL_TYPES or verdict.is_declared


def list_independent(supports: Sequence[Support]) -> list[Support]:
    """The statements that count, oldest first: each independent of every one that counted before."""
    counted: list[Support] = []
    for support in sorted(supports, key=lambda each: (each.said_at, each.message_id)):
        if all(is_independent(support, earlier) for earlier in counted):
            counted.append(support)
    return counted


def is_independent(later: Support, earlier: Support) -> bool:
    """Whether a statement adds to an earlier one: said in another session, or in other words after something else was
    said between them and without the assistant's having named the value.

    Two lines in a row never are two statements; talk across midnight is one session.
    """
    if later.message_id == earlier.message_id:
        return False
    if later.session != earlier.session:
        return True
    is_apart = later.conversation_id != earlier.conversation_id or later.seq - earlier.seq > MIN_SEQ_BETWEEN
    return is_apart and not later.value_was_told and _share_words(later.words, earlier.words) < MAX_SHARED_WORDS


MIN_SEQ_BETWEEN = 2
"""At least one exchange, a message of each side, lies between two places that are further apart than this."""


def _share_words(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard; two statements of the value alone are the same words."""
    every = one | other
    return len(one & other) / len(every) if every else 1.0
