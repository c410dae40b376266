"""Whose messages are to be read a second time now."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from factcheck.extraction.core.promotion import SESSION_GAP
from factcheck.extraction.models import OPEN_STATES, ExtractionRun, RunMode, RunTrigger
from factcheck.extraction.run_mode import find_run_mode

MANY_MESSAGES = 15
"""Of a player. Source: seed 002, fix 1B, as are the gap and the two hours."""
LONG_WAIT = dt.timedelta(hours=2)
MIN_INTERVAL = dt.timedelta(hours=1)
"""Between two runs of one player. Source: seed 002, fix 1B."""
RETRY_INTERVAL = dt.timedelta(minutes=30)
"""Between two tries to write what was held back."""
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


def list_released_users(*, limit: int, now: dt.datetime | None = None) -> list[DueUser]:
    """The players of whom something was held back that may be written now, longest held first.

    Not those whose last try failed a short while ago. One query, and two a language that is held.
    """
    held = ExtractionRun.objects.filter(held_for__isnull=False)
    languages = held.order_by().values_list("tenant_id", "held_for").distinct()
    free = Q(pk__in=[])
    for tenant_id, language in languages:
        if find_run_mode(tenant_id=tenant_id, language=language or "") == RunMode.ON:
            free |= Q(tenant_id=tenant_id, held_for=language)
    lately = (now or timezone.now()) - RETRY_INTERVAL
    tried = ExtractionRun.objects.filter(follows=OuterRef("pk"), finished_at__gt=lately)
    rows = held.filter(free).exclude(Exists(tried)).order_by("pk").values_list("tenant_id", "end_user_id")[:limit]
    return [DueUser(*row, RunTrigger.TRIAL_PASSED) for row in dict.fromkeys(rows)]


def list_abandoned(*, limit: int, now: dt.datetime | None = None) -> list[DueUser]:
    """The players whose run has lost its worker. One query."""
    runs = ExtractionRun.objects.filter(state__in=OPEN_STATES, lease_until__lte=now or timezone.now())
    rows = runs.order_by("lease_until").values_list("tenant_id", "end_user_id", "triggered_by")[:limit]
    return [DueUser(*row) for row in rows]
