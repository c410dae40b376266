"""Candidates that the player takes back, whatever a proposer says."""

from __future__ import annotations

from django.utils import timezone

from factcheck.extraction.actions.candidates import block_candidates
from factcheck.extraction.core.gate import Denials
from factcheck.extraction.models import CandidateState, ExtractionRun, FactCandidate
from factcheck.extraction.sealing import read_candidate
from knowledge.facts.core.drafts import FactDraft

DENIED = "The player denied it."


def block_denied_candidates(run: ExtractionRun, denials: Denials) -> int:
    """How many open candidates are blocked, since a message that the run works off denies them outright.

    Whatever a proposer says, and also where the run writes nothing. Call it under the player's lock. Raises
    FactKeysMissing.
    """
    rows = FactCandidate.objects.select_for_update(no_key=True).filter(
        tenant_id=run.tenant_id, end_user_id=run.end_user_id, state=CandidateState.OPEN
    )
    denied = [each for each in rows.order_by("pk") if _is_denied(each, denials)]
    return block_candidates(denied, reason=DENIED)


def _is_denied(candidate: FactCandidate, denials: Denials) -> bool:
    key, value = read_candidate(candidate)
    return denials.find(candidate.type, key, value, after=candidate.last_said_at) is not None


def is_denied_later(draft: FactDraft, denials: Denials) -> bool:
    """Whether a message that was said after the draft's words denies it outright."""
    said_at = draft.valid_from or timezone.now()
    return denials.find(draft.type, draft.key or "", draft.value, after=said_at) is not None
