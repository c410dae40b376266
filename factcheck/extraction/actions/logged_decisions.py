"""What people and keys decide about the second stage, each with its entry in the audit log."""

from __future__ import annotations

from django.db import transaction

from factcheck.extraction.actions.decisions import promote_candidate, reject_candidate
from factcheck.extraction.actions.delta_writes import Applied
from factcheck.extraction.actions.reverts import Reverted, revert_run
from factcheck.extraction.actions.sweeps import queue_manual_run
from factcheck.extraction.errors import RunNotFailed, UnknownRun
from factcheck.extraction.models import CandidateState, ExtractionRun, FactCandidate, RunState
from tenancy.core.audit_log import AuditRecord, Decider, record_decision
from tenancy.errors import ReasonMissing

RUN, CANDIDATE = "extraction_run", "fact_candidate"


def undo_run(*, tenant_id: int, run_id: int, decider: Decider, reason: str) -> Reverted:
    """As `revert_run`, logged. Raises UnknownRun, RunNotRevertible, ReasonMissing."""
    with transaction.atomic():
        reverted = revert_run(tenant_id=tenant_id, run_id=run_id, made_by=decider.name, reason=reason)
        counts = {name: len(getattr(reverted, name)) for name in ("ended", "restored", "kept", "settled")}
        _record(tenant_id, decider, "extraction_run.undone", run_id, reason, before="applied", after="undone", **counts)
    return reverted


def retry_run(*, tenant_id: int, run_id: int, decider: Decider, reason: str) -> int:
    """How many messages wait for the run that is queued in place of a failed one, logged.

    Raises UnknownRun, RunNotFailed, ReasonMissing, ExtractionOff, ExtractionPaused, NothingPending.
    """
    if not reason.strip():
        raise ReasonMissing("Say why.")
    run = ExtractionRun.objects.filter(tenant_id=tenant_id, pk=run_id).first()
    if run is None:
        raise UnknownRun(f"There is no run {run_id}.")
    if run.state != RunState.FAILED:
        raise RunNotFailed("Only a failed run is tried again.")
    waiting = queue_manual_run(tenant_id=tenant_id, end_user_id=run.end_user_id)
    _record(tenant_id, decider, "extraction_run.retried", run_id, reason, waiting=waiting)
    return waiting


def accept_candidate(*, tenant_id: int, candidate_id: int, decider: Decider, reason: str) -> Applied:
    """As `promote_candidate`, logged. Raises UnknownCandidate, CandidateNotOpen, ReasonMissing."""
    with transaction.atomic():
        applied = promote_candidate(tenant_id=tenant_id, candidate_id=candidate_id, made_by=decider.name, reason=reason)
        _record_candidate(tenant_id, decider, candidate_id, CandidateState.PROMOTED, reason, fact=applied.fact_id)
    return applied


def refuse_candidate(*, tenant_id: int, candidate_id: int, decider: Decider, reason: str) -> FactCandidate:
    """As `reject_candidate`, logged. Raises UnknownCandidate, CandidateNotOpen, ReasonMissing."""
    with transaction.atomic():
        candidate = reject_candidate(
            tenant_id=tenant_id, candidate_id=candidate_id, made_by=decider.name, reason=reason
        )
        _record_candidate(tenant_id, decider, candidate_id, CandidateState.REJECTED, reason)
    return candidate


def _record_candidate(
    tenant_id: int, decider: Decider, candidate_id: int, state: CandidateState, reason: str, **details: object
) -> None:
    record_decision(
        AuditRecord(
            tenant_id=tenant_id,
            decider=decider,
            action=f"fact_candidate.{state.value}",
            object_type=CANDIDATE,
            object_id=candidate_id,
            object_label=f"candidate {candidate_id}",
            before=CandidateState.OPEN,
            after=state,
            reason=reason.strip(),
            details=details,
        )
    )


def _record(
    tenant_id: int,
    decider: Decider,
    action: str,
    run_id: int,
    reason: str,
    *,
    before: str = "",
    after: str = "",
    **details: object,
) -> None:
    record_decision(
        AuditRecord(
            tenant_id=tenant_id,
            decider=decider,
            action=action,
            object_type=RUN,
            object_id=run_id,
            object_label=f"run {run_id}",
            before=before,
            after=after,
            reason=reason.strip(),
            details=details,
        )
    )
