"""Statements that a player sent in two messages: "i'm allergic to" - "peanuts"."""

from __future__ import annotations

from factcheck.extraction.core.given import GivenMessage
from factcheck.instant.core.messages import fold
from factcheck.instant.core.value_lists import list_words
from factcheck.instant.core.words import read_words

MAX_HALF_LENGTH = 200
MAX_START_WORDS = 12
_CUT_ENDS = read_words("cut_ends")
_CUT_STARTS = read_words("cut_starts")
_CLOSED = (".", "!", "?", "؟", "。", "！", "？", "…", ";")


def join_halves(first: GivenMessage, second: GivenMessage) -> str | None:
    """Both texts as one, where the first breaks off or the second begins in the middle; None where each is whole."""
    if (first.role, second.role) != ("user", "user") or first.session != second.session:
        return None
    head, tail = first.content.rstrip(), second.content.strip()
    if not head or not tail or max(len(head), len(tail)) > MAX_HALF_LENGTH or head.endswith(_CLOSED):
        return None
    ends, begins = list_words(fold(head)), list_words(fold(tail))
    if not ends or not begins:
        return None
    is_cut = ends[-1] in _CUT_ENDS or (begins[0] in _CUT_STARTS and len(begins) <= MAX_START_WORDS)
    return f"{head} {tail}" if is_cut else None
