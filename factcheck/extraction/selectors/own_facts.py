"""The fact that a proposal made, while it stands on nothing else."""

from __future__ import annotations

from django.db.models import Subquery

from factcheck.extraction.models import DeltaOutcome, ExtractionDelta
from knowledge.facts.models import FactSource, UserFact

WROTE = (DeltaOutcome.WRITTEN, DeltaOutcome.SUPERSEDED)


def find_own_fact(delta: ExtractionDelta) -> UserFact | None:
    """The fact as the proposal wrote it, or as undoing something later brought it back, where it stands and nothing but
    the messages of the proposal, and of the candidate that became it, proves it. Two queries at most.

    One that it only confirmed was known before; one that was stated again since holds whatever is said of the proposal.
    """
    if delta.fact_id is None or delta.outcome not in WROTE:
        return None
    written = UserFact.objects.filter(pk=delta.fact_id)
    fact = UserFact.objects.filter(
        tenant_id=delta.tenant_id,
        end_user_id=delta.end_user_id,
        type=Subquery(written.values("type")),
        key_index=Subquery(written.values("key_index")),
        is_active=True,
        source=FactSource.BATCH,
        stated_in=[],
    ).first()
    return fact if fact is not None and set(fact.evidence) <= _list_evidence(delta) else None


def _list_evidence(delta: ExtractionDelta) -> set[int]:
    """What the proposal quotes, and what held up the candidate that it made a fact of."""
    supports = delta.candidate.supports.values_list("message_id", flat=True) if delta.candidate is not None else ()
    return {*delta.evidence, *supports}
