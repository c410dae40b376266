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
    kept = list_kept_ranges(len(content), memory_type=memory_type)
    return GAP.join(content[start:end] for start, end in kept)


def list_kept_ranges(length: int, *, memory_type: str = "") -> list[tuple[int, int]]:
    """The ranges of a message of that many characters that its excerpt holds."""
    is_telling = memory_type in TELLING_TYPES
    if length <= (TELLING_SHORT if is_telling else SHORT):
        return [(0, length)]
    head, tail = (TELLING_HEAD, TELLING_TAIL) if is_telling else (HEAD, TAIL)
    return [(0, head), (length - tail, length)]
