"""People decide on candidates."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from factcheck.extraction.actions.candidates import change_state, draft_candidate
from factcheck.extraction.actions.delta_writes import Applied, write_fact
from factcheck.extraction.errors import CandidateNotOpen, UnknownCandidate
from factcheck.extraction.models import LIVING_STATES, CandidateState, DeltaOutcome, FactCandidate
from knowledge.facts.actions.locks import lock_end_user
from tenancy.errors import ReasonMissing


def promote_candidate(*, tenant_id: int, candidate_id: int, made_by: str, reason: str) -> Applied:
    """The candidate as a fact, on a person's word. Locks the player.

    Raises UnknownCandidate, CandidateNotOpen (also where something later is known), ReasonMissing.
    """
    with transaction.atomic():
        candidate = _lock(tenant_id, candidate_id, reason, states=(CandidateState.OPEN,))
        draft = draft_candidate(candidate)
        applied = write_fact(tenant_id, candidate.end_user_id, draft, made_by=made_by, reason=reason)
        if applied.outcome == DeltaOutcome.OUTDATED:
            raise CandidateNotOpen(f"It can't become a fact: {applied.detail}")
    return applied


def reject_candidate(*, tenant_id: int, candidate_id: int, made_by: str, reason: str) -> FactCandidate:
    """The candidate, rejected by a person. Raises UnknownCandidate, CandidateNotOpen, ReasonMissing."""
    with transaction.atomic():
        candidate = _lock(tenant_id, candidate_id, reason, states=LIVING_STATES)
        change_state(candidate, CandidateState.REJECTED, made_by=made_by, reason=reason)
    return candidate


def _lock(tenant_id: int, candidate_id: int, reason: str, *, states: Sequence[CandidateState]) -> FactCandidate:
    if not reason.strip():
        raise ReasonMissing("Say why.")
    candidates = FactCandidate.objects.filter(tenant_id=tenant_id)
    candidate = candidates.filter(pk=candidate_id).first()
    if candidate is None:
        raise UnknownCandidate(f"There is no candidate {candidate_id}.")
    lock_end_user(tenant_id=tenant_id, end_user_id=candidate.end_user_id)
    candidate = candidates.select_for_update(no_key=True).get(pk=candidate_id)
    if candidate.state not in states:
        raise CandidateNotOpen(f"The candidate is {candidate.get_state_display()}.")
    return candidate
