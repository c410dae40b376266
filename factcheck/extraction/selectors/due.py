"""Whose messages are to be read a second time now."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils import timezone

from factcheck.extraction.core.promotion import SESSION_GAP
from factcheck.extraction.models import OPEN_STATES, ExtractionRun

MANY_MESSAGES = 15
"""Of a player. Source: seed 002, fix 1B, as are the gap and the two hours."""
LONG_WAIT = dt.timedelta(hours=2)
MIN_INTERVAL = dt.timedelta(hours=1)
"""Between two runs of one player. Source: seed 002, fix 1B."""
MAX_UNUSABLE = 3
"""Answers of no use in a row; then the messages are left alone for a day, or until a person asks."""
GIVEN_UP = dt.timedelta(days=1)
_DUE = (Path(__file__).resolve().parents[1] / "sql" / "due_users.sql").read_text()


@dataclass(frozen=True, slots=True)
class DueUser:
    """A player and why a run is due; `due_in_all` counts the players who are, beyond the limit too."""

    tenant_id: int
    end_user_id: int
    reason: str
    due_in_all: int = 1


def list_due_users(*, limit: int, now: dt.datetime | None = None) -> list[DueUser]:
    """The players who are due, one of each tenant before the second of any. One query."""
    parameters: dict[str, Any] = {
        "now": now or timezone.now(),
        "gap": SESSION_GAP,
        "many": MANY_MESSAGES,
        "long": LONG_WAIT,
        "min_interval": MIN_INTERVAL,
        "tries": MAX_UNUSABLE,
        "given_up": GIVEN_UP,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_DUE, parameters)
        return [DueUser(*row) for row in cursor.fetchall()]


def list_abandoned(*, limit: int, now: dt.datetime | None = None) -> list[DueUser]:
    """The players whose run has lost its worker. One query."""
    runs = ExtractionRun.objects.filter(state__in=OPEN_STATES, lease_until__lte=now or timezone.now())
    rows = runs.order_by("lease_until").values_list("tenant_id", "end_user_id", "triggered_by")[:limit]
    return [DueUser(*row) for row in rows]
