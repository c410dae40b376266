"""Whether an exchange shows that something said before was not used.

Source: seed 002, KM. `user_repeated_info`: the player says again what is in RAW of the last 90 days and the last two
requests did not use. `retrieval_miss`: what is relevant to a turn is in RAW and not in its pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SAMPLE_RATE = 0.01
MIN_EXCHANGES = 50
"""A night: one in a hundred of a small installation would be nothing."""
MIN_SIMILARITY = 0.85
REPEAT_DAYS = 90
REQUESTS_LOOKED_AT = 2
MIN_LEXEMES = 3
"""Greetings and thanks are alike and mean nothing."""
QUESTION_MARKS = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class Earlier:
    """Something that the player said before, and how near it is to the message of the turn."""

    message_id: int
    similarity: float
    is_statement: bool
    requests_since: tuple[frozenset[int], ...]
    """Messages that the packs between the two told, newest pack first."""


def find_rate(exchanges: int) -> float:
    """The share that is looked at: 1 %, and more where that is less than 50."""
    return min(1.0, max(SAMPLE_RATE, MIN_EXCHANGES / exchanges)) if exchanges else 1.0


def is_statement(text: str, lexemes: int) -> bool:
    """Whether a message can state something: no question, and more than a greeting."""
    return lexemes >= MIN_LEXEMES and not any(mark in text for mark in QUESTION_MARKS)


def is_repeated(earlier: Sequence[Earlier], *, says_something: bool) -> bool:
    """Whether the player says again what the last two requests did not use."""
    return says_something and any(
        each.is_statement
        and each.similarity >= MIN_SIMILARITY
        and len(each.requests_since) >= REQUESTS_LOOKED_AT
        and not any(each.message_id in told for told in each.requests_since[:REQUESTS_LOOKED_AT])
        for each in earlier
    )


def is_missed(earlier: Sequence[Earlier], told: frozenset[int]) -> bool:
    """Whether something relevant was said before, and nothing relevant is in the pack."""
    relevant = [each for each in earlier if each.is_statement and each.similarity >= MIN_SIMILARITY]
    return bool(relevant) and not any(each.message_id in told for each in relevant)
