"""Whether what is left of a range is worth being read again."""

from __future__ import annotations

WORTH_AGAIN = 0.6
"""Of the messages of a range so many must still stand. Source: spec of event nodes, invalidation."""


def is_worth_again(standing: int, total: int) -> bool:
    """Whether an event that lost messages is extracted again, rather than forgotten."""
    return total > 0 and standing / total >= WORTH_AGAIN
