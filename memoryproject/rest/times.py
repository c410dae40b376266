"""Times in requests."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from memoryproject.rest.errors import InvalidParameter


def parse_time(text: str) -> dt.datetime | None:
    """An ISO 8601 time with an offset, in UTC; None for anything else."""
    try:
        time = dt.datetime.fromisoformat(text)
        return None if time.tzinfo is None else time.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None


def read_time(values: Mapping[str, Any], name: str, error: type[InvalidParameter]) -> dt.datetime | None:
    """The time that a request's parameter or member gives, if it was sent. Raises `error`."""
    if name not in values:
        return None
    time = parse_time(values[name])
    if time is None:
        raise error(f"{name} is not a time with an offset.", parameter=name)
    return time
