"""Work of the second stage in Celery. Every task may run twice."""

from __future__ import annotations

import uuid
from typing import Any

import structlog
from celery import shared_task, signals

from factcheck.extraction.actions import candidates, sweeps, version_reverts
from factcheck.extraction.actions.breaker_notices import mail_breaker_notice
from factcheck.extraction.actions.runs import extract_user as extract
from factcheck.extraction.errors import ExtractionPaused
from factcheck.extraction.workbench.trials import run_trial
from factcheck.instant.registry import warm_up
from factcheck.plots.actions import sweeps as plot_sweeps
from factcheck.plots.actions.runs import extract_event as extract_plot
from memoryproject.errors import ConflictError, NotFoundError
from tenancy.core.audit_log import Decider

log = structlog.get_logger("memory37.extraction")


@signals.worker_init.connect
def compile_before_forking(sender: Any, **_: Any) -> None:
    """The processes of a worker's pool share what this one compiles: each took four seconds for it, at its first
    message. A pool of one has nothing to share.
    """
    if sender.concurrency > 1:
        warm_up().join()


@shared_task(name="factcheck.sweep_extraction", acks_late=True)
def sweep_extraction() -> None:
    """Queue the runs that are due, and those whose worker is gone."""
    sweeps.queue_due_runs(extract_user)


@shared_task(name="factcheck.extract_user", acks_late=True)
def extract_user(tenant_id: int, end_user_id: int, triggered_by: str) -> None:
    """Work off what waits of a player; what speaks against it now is left to the next sweep."""
    sweeps.allow_next_run(end_user_id)
    try:
        extract(tenant_id=tenant_id, end_user_id=end_user_id, triggered_by=triggered_by)
    except ExtractionPaused:
        sweeps.postpone_runs(end_user_id)
    except ConflictError as error:
        log.info("extraction_not_run", end_user_id=end_user_id, code=error.code)


@shared_task(name="factcheck.expire_candidates", acks_late=True)
def expire_candidates() -> None:
    """Drop candidates that nothing confirmed."""
    candidates.expire_candidates()


@shared_task(
    name="factcheck.send_breaker_notice",
    autoretry_for=(OSError,),
    max_retries=5,
    retry_backoff=30,
    retry_jitter=True,
    acks_late=True,
)
def send_breaker_notice(event_id: int) -> None:
    """Tell the owners that a breaker opened. SMTP's errors are OSErrors: a server that is down is asked again."""
    mail_breaker_notice(event_id)


@shared_task(name="factcheck.undo_prompt_version", acks_late=True)
def undo_prompt_version(
    tenant_id: int, proposer: str, prompt_version: str, decider_id: int, decider_name: str, reason: str, after: int = 0
) -> None:
    """Undo the next runs of a prompt version, and queue itself until none is left. Lost, it may be asked for again."""
    last = version_reverts.undo_runs(
        tenant_id=tenant_id,
        proposer=proposer,
        prompt_version=prompt_version,
        decider=Decider("user", decider_id, decider_name),
        reason=reason,
        after=after,
    )
    if last is not None:
        undo_prompt_version.delay(tenant_id, proposer, prompt_version, decider_id, decider_name, reason, last)


@shared_task(name="factcheck.try_prompts", acks_late=True)
def try_prompts(trial_id: str) -> None:
    """Ask two prompts about the same talks; one that was forgotten meanwhile is left."""
    try:
        run_trial(trial_id)
    except NotFoundError as error:
        log.info("trial_not_run", trial_id=trial_id, code=error.code)


@shared_task(name="factcheck.sweep_events", acks_late=True)
def sweep_events() -> None:
    """Close the chunks of talk that are full, and queue the events that wait for a worker."""
    plot_sweeps.close_due_chunks()
    plot_sweeps.queue_due_events(extract_event)


@shared_task(name="factcheck.extract_event", acks_late=True)
def extract_event(node_id: str) -> None:
    """Extract one event; what speaks against it now is left to the next sweep."""
    plot_sweeps.MARKERS.take_up(node_id)
    extract_plot(uuid.UUID(node_id))
