"""A run begins: one of a player at a time, one an hour, each message in one range."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from factcheck.extraction.actions.run_failures import fail_run
from factcheck.extraction.actions.watermarks import move_watermarks
from factcheck.extraction.errors import ExtractionOff, ExtractionPaused, NothingPending, RunInProgress
from factcheck.extraction.metrics import PENDING
from factcheck.extraction.models import OPEN_STATES, ExtractionRun, RunState, RunTrigger
from factcheck.extraction.proposers.base import Proposer
from factcheck.extraction.run_mode import find_run_mode
from factcheck.extraction.selectors.due import MIN_INTERVAL
from factcheck.extraction.selectors.given import load_range
from memoryproject.errors import ConflictError
from memoryproject.jobs import LEASE, MAX_TRIES, try_lock
from tenancy.models import Extraction, Tenant


def claim_run(
    *, tenant_id: int, end_user_id: int, triggered_by: str, proposer: Proposer, continues: bool = False
) -> ExtractionRun:
    """The player's run, under a lease: a new one over what waits, or one whose worker is gone.

    By hand, or as the rest of a range that was too long for one run (`continues`), a run does not wait for its hour.
    Raises ExtractionOff, ExtractionPaused, RunInProgress, NothingPending, UnknownEndUser by its foreign key.
    """
    with transaction.atomic():
        if not try_lock(name_lock(tenant_id, end_user_id)):
            raise RunInProgress("Another worker begins a run of this user now.")
        left = ExtractionRun.objects.filter(end_user_id=end_user_id, state__in=OPEN_STATES).first()
        claimed: ExtractionRun | ConflictError | None = None if left is None else take_up(left)
        if claimed is None:
            is_free = left is None or triggered_by == RunTrigger.MANUAL
            claimed = _begin(tenant_id, end_user_id, triggered_by, proposer, continues) if is_free else _given_up()
    # What was written before a refusal stays: it is raised outside the transaction.
    if isinstance(claimed, ConflictError):
        raise claimed
    return claimed


def _given_up() -> ConflictError:
    return NothingPending("A run of this user was given up: it is tried again later, or when a person asks.")


def name_lock(tenant_id: int, end_user_id: int) -> str:
    """Of the lock under which a run of the player begins."""
    return f"extraction:{tenant_id}:{end_user_id}"


def take_up(run: ExtractionRun) -> ExtractionRun | None:
    """A run whose lease is over, leased anew; None where it has failed once too often and something else may begin."""
    now = timezone.now()
    if run.lease_until > now:
        raise RunInProgress("A run of this user is not over yet.")
    if run.tries >= MAX_TRIES:
        fail_run(run, failure="worker_lost", detail=f"{run.tries} workers did not finish it.")
        return None
    run.tries += 1
    run.lease_until = now + LEASE
    run.save(update_fields=["tries", "lease_until"])
    return run


def _ran_lately(end_user_id: int) -> bool:
    runs = ExtractionRun.objects.filter(end_user_id=end_user_id, created_at__gt=timezone.now() - MIN_INTERVAL)
    return runs.filter(state=RunState.APPLIED, follows__isnull=True).exists()


def _begin(
    tenant_id: int, end_user_id: int, triggered_by: str, proposer: Proposer, continues: bool
) -> ExtractionRun | ConflictError:
    """A new run, or why there is none."""
    if Tenant.objects.values_list("extraction", flat=True).get(pk=tenant_id) == Extraction.OFF:
        return ExtractionOff("Extraction is switched off for this tenant.")
    if triggered_by != RunTrigger.MANUAL and not continues and _ran_lately(end_user_id):
        return NothingPending("A run of this user is less than an hour old.")
    waiting = load_range(tenant_id=tenant_id, end_user_id=end_user_id, read_ids=())
    if not waiting.own_ids:
        move_watermarks(waiting.reaches)
        return NothingPending("No message of this user waits for extraction.")
    mode = find_run_mode(tenant_id=tenant_id, language=waiting.language)
    if mode is None:
        return ExtractionPaused("Extraction is paused: too much of it was found wrong.")
    PENDING.observe(len(waiting.own_ids))
    try:
        with transaction.atomic():
            return ExtractionRun.objects.create(
                tenant_id=tenant_id,
                end_user_id=end_user_id,
                triggered_by=triggered_by,
                mode=mode,
                proposer=proposer.name,
                model=proposer.model,
                prompt_version=proposer.prompt_version,
                language=waiting.language,
                range_hash=waiting.hash,
                conversation_to={str(pk): seq for pk, seq in waiting.reaches.items()},
                messages=len(waiting.own_ids),
                lease_until=timezone.now() + LEASE,
            )
    except IntegrityError:
        return RunInProgress("A run of these messages was begun before.")
