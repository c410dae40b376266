"""Times in requests."""

from __future__ import annotations

import datetime as dt


def parse_time(text: str) -> dt.datetime | None:
    """An ISO 8601 time with an offset, in UTC; None for anything else."""
    try:
        time = dt.datetime.fromisoformat(text)
        return None if time.tzinfo is None else time.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
