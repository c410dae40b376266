"""Where a player's talk breaks into sessions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from factcheck.extraction.core.promotion import SESSION_GAP


def number_sessions(times: Iterable[dt.datetime]) -> dict[dt.datetime, int]:
    """The number of the session of each time, from 0: one ends where nothing is said for more than 30 minutes."""
    sessions: dict[dt.datetime, int] = {}
    session, last = 0, None
    for time in sorted(set(times)):
        if last is not None and time - last > SESSION_GAP:
            session += 1
        sessions[time] = session
        last = time
    return sessions
