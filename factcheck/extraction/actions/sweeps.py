"""Runs that are due are queued, once each."""

from __future__ import annotations

from typing import Any

from factcheck.extraction.errors import ExtractionOff, ExtractionPaused, NothingPending
from factcheck.extraction.metrics import QUEUE_SIZE
from factcheck.extraction.models import RunTrigger
from factcheck.extraction.run_mode import find_run_mode
from factcheck.extraction.selectors.due import list_abandoned, list_due_users, list_released_users
from factcheck.extraction.selectors.runs import count_waiting
from memoryproject.redis import build_key, get_redis
from tenancy.models import Extraction, Tenant

MAX_QUEUED = 200
"""Of one sweep; the rest is due in the next. What waits at the broker stays bounded, whoever is due at once."""
MAX_LOOKED_AT = 10 * MAX_QUEUED
"""Players of a paused language stay due and are passed over: they must not take the places of others."""
QUEUED_SECONDS = 900
"""After so long a run that was lost at the broker no longer holds back the next."""
PRIORITY = 9
"""Behind all other work."""
PRIORITY_MANUAL = 3
"""A person waits for it."""


def queue_due_runs(task: Any) -> int:
    """How many runs were queued: of players who are due, whose worker is gone, or whose breaker has closed."""
    queued, abandoned, due = 0, list_abandoned(limit=MAX_QUEUED), list_due_users(limit=MAX_LOOKED_AT)
    released = list_released_users(limit=MAX_QUEUED)
    QUEUE_SIZE.set(len(abandoned) + len(released) + (due[0].due_in_all if due else 0))
    for user in (*abandoned, *released, *due):
        if get_redis().set(_build_marker(user.end_user_id), 1, nx=True, ex=QUEUED_SECONDS):
            task.apply_async((user.tenant_id, user.end_user_id, user.reason), priority=PRIORITY, retry=False)
            queued += 1
        if queued == MAX_QUEUED:
            break
    return queued


def queue_manual_run(*, tenant_id: int, end_user_id: int) -> int:
    """How many messages wait for the run that is queued now, before all others.

    Raises ExtractionOff, ExtractionPaused, NothingPending.
    """
    from factcheck.tasks import extract_user

    if Tenant.objects.values_list("extraction", flat=True).get(pk=tenant_id) == Extraction.OFF:
        raise ExtractionOff("Extraction is switched off for this tenant.")
    if find_run_mode(tenant_id=tenant_id, language="") is None:
        raise ExtractionPaused("Extraction is paused: too much of it was found wrong.")
    waiting = count_waiting(tenant_id=tenant_id, end_user_id=end_user_id)
    if not waiting:
        raise NothingPending("No message of this user waits for extraction.")
    extract_user.apply_async((tenant_id, end_user_id, RunTrigger.MANUAL), priority=PRIORITY_MANUAL, retry=False)
    return waiting


def allow_next_run(end_user_id: int) -> None:
    """A worker has the player's run: another may be queued."""
    get_redis().delete(_build_marker(end_user_id))


def postpone_runs(end_user_id: int) -> None:
    """The player's language is paused: no run is queued for a while."""
    get_redis().set(_build_marker(end_user_id), 1, ex=QUEUED_SECONDS)


def _build_marker(end_user_id: int) -> str:
    return build_key("extraction-queued", end_user_id)
