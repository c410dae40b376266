"""Quotes of messages: whole where they are short, else head and tail, for a negation often comes last.

Source: seed 002, fix 4A.
"""

from __future__ import annotations

GAP = " [...] "
SHORT = 500
HEAD, TAIL = 280, 220
TELLING_TYPES = frozenset({"fact", "event"})
TELLING_SHORT = 1500
TELLING_HEAD, TELLING_TAIL = 800, 400


def make_excerpt(content: str, *, memory_type: str = "") -> str:
    """The message, or its first 280 and last 220 characters; of facts and events up to 1,500, else 800 and 400."""
    if len(content) <= SHORT:
        return content
    if memory_type not in TELLING_TYPES:
        return f"{content[:HEAD]}{GAP}{content[-TAIL:]}"
    if len(content) <= TELLING_SHORT:
        return content
    return f"{content[:TELLING_HEAD]}{GAP}{content[-TELLING_TAIL:]}"
