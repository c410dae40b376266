"""Runs that are due are queued, once each."""

from __future__ import annotations

from typing import Any

from factcheck.extraction.errors import ExtractionOff, ExtractionPaused, NothingPending
from factcheck.extraction.metrics import QUEUE_SIZE
from factcheck.extraction.models import RunTrigger
from factcheck.extraction.run_mode import find_run_mode
from factcheck.extraction.selectors.due import list_abandoned, list_due_users, list_released_users
from factcheck.extraction.selectors.runs import count_waiting
from memoryproject.celery import find_task
from memoryproject.jobs import PRIORITY_MANUAL, JobMarkers
from tenancy.models import Extraction, Tenant

MAX_QUEUED = 200
"""Of one sweep; the rest is due in the next. What waits at the broker stays bounded, whoever is due at once."""
MAX_LOOKED_AT = 10 * MAX_QUEUED
"""Players of a paused language stay due and are passed over: they must not take the places of others."""
MARKERS = JobMarkers("extraction")


def queue_due_runs(task: Any) -> int:
    """How many runs were queued: of players who are due, whose worker is gone, or whose breaker has closed."""
    abandoned, due = list_abandoned(limit=MAX_QUEUED), list_due_users(limit=MAX_LOOKED_AT)
    released = list_released_users(limit=MAX_QUEUED)
    QUEUE_SIZE.set(len(abandoned) + len(released) + (due[0].due_in_all if due else 0))
    users = (*abandoned, *released, *due)
    jobs = ((user.end_user_id, (user.tenant_id, user.end_user_id, user.reason)) for user in users)
    return MARKERS.queue(task, jobs, limit=MAX_QUEUED)


def queue_manual_run(*, tenant_id: int, end_user_id: int) -> int:
    """How many messages wait for the run that is queued now, before all others.

    Raises ExtractionOff, ExtractionPaused, NothingPending.
    """
    if Tenant.objects.values_list("extraction", flat=True).get(pk=tenant_id) == Extraction.OFF:
        raise ExtractionOff("Extraction is switched off for this tenant.")
    if find_run_mode(tenant_id=tenant_id, language="") is None:
        raise ExtractionPaused("Extraction is paused: too much of it was found wrong.")
    waiting = count_waiting(tenant_id=tenant_id, end_user_id=end_user_id)
    if not waiting:
        raise NothingPending("No message of this user waits for extraction.")
    find_task("factcheck.extract_user").apply_async(
        (tenant_id, end_user_id, RunTrigger.MANUAL), priority=PRIORITY_MANUAL, retry=False
    )
    return waiting


def allow_next_run(end_user_id: int) -> None:
    """A worker has the player's run: another may be queued."""
    MARKERS.take_up(end_user_id)


def postpone_runs(end_user_id: int) -> None:
    """The player's language is paused: no run is queued for a while."""
    MARKERS.rest(end_user_id)
