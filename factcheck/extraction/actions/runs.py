"""One player's waiting messages, worked off: claimed, asked about, gated, applied."""

from __future__ import annotations

import structlog

from factcheck.extraction.actions.held_claims import claim_held_run
from factcheck.extraction.actions.run_answers import answer_run
from factcheck.extraction.actions.run_applies import apply_run
from factcheck.extraction.actions.run_claims import claim_run
from factcheck.extraction.actions.run_failures import fail_run
from factcheck.extraction.errors import NothingPending
from factcheck.extraction.models import ExtractionRun, RunState, RunTrigger
from factcheck.extraction.proposers.base import Proposer, ProposerError
from factcheck.extraction.proposers.registry import get_proposer
from factcheck.extraction.rules import get_run_rules

log = structlog.get_logger("memory37.extraction")
MAX_RUNS = 10
"""Of one player at once, of a long range; what is left after them waits for the next hour."""


def extract_user(
    *, tenant_id: int, end_user_id: int, triggered_by: str, proposer: Proposer | None = None
) -> list[ExtractionRun]:
    """The runs over all that waits of a player, one for as many messages as fit into one call. Outside transactions.

    It stops at the first run that fails. Raises ExtractionOff, ExtractionPaused, RunInProgress, NothingPending,
    FactKeysMissing.
    """
    proposer = proposer or get_proposer()
    if triggered_by == RunTrigger.TRIAL_PASSED:
        return _write_held(tenant_id, end_user_id, proposer)
    runs: list[ExtractionRun] = []
    while len(runs) < MAX_RUNS:
        try:
            run = claim_run(
                tenant_id=tenant_id,
                end_user_id=end_user_id,
                triggered_by=triggered_by,
                proposer=proposer,
                continues=bool(runs),
            )
        except NothingPending:
            if runs:
                break
            raise
        runs.append(finish_run(run, proposer))
        if runs[-1].state != RunState.APPLIED:
            break
    return runs


def _write_held(tenant_id: int, end_user_id: int, proposer: Proposer) -> list[ExtractionRun]:
    """The runs that write what breakers held back of a player, oldest first; it stops at the first that fails."""
    runs: list[ExtractionRun] = []
    while len(runs) < MAX_RUNS:
        run = claim_held_run(tenant_id=tenant_id, end_user_id=end_user_id, proposer=proposer)
        if run is None:
            break
        runs.append(finish_run(run, proposer))
        if runs[-1].state != RunState.APPLIED:
            break
    if not runs:
        raise NothingPending("Nothing of this user was held back that may be written now.")
    return runs


def finish_run(run: ExtractionRun, proposer: Proposer) -> ExtractionRun:
    """The claimed run, applied or failed. Whatever worker does it, the proposer is asked at most once successfully."""
    try:
        run = answer_run(run, proposer)
    except ProposerError as error:
        log.warning("extraction_failed", run_id=run.pk, code=error.code, detail=error.detail)
        return fail_run(run, failure=error.code, detail=error.detail, paid=error.paid)
    return apply_run(run, get_run_rules(run))
