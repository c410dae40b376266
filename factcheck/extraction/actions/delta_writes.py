"""What passed the gate becomes a fact, a doubt, an end, or waits as a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from django.utils import timezone

from factcheck.extraction.actions.candidates import collect_candidate, settle_candidates
from factcheck.extraction.actions.denied_candidates import is_denied_later
from factcheck.extraction.core.deltas import Operation
from factcheck.extraction.core.gate import Denials
from factcheck.extraction.core.given import Given, GivenMessage
from factcheck.extraction.core.promotion import is_fact_at_once
from factcheck.extraction.core.verdicts import EvidenceSpan, Verdict
from factcheck.extraction.models import DeltaOutcome, ExtractionRun
from factcheck.instant.core.money import choose_budget_key
from knowledge.facts.actions import Correction, apply_facts_under_lock, deactivate_fact, dispute_fact
from knowledge.facts.core.drafts import FactDraft, complete, validate_fact_draft
from knowledge.facts.models import (
    PROTECTED_TYPES,
    CorrectionBasis,
    CorrectionType,
    FactSource,
    MemoryCorrection,
    UserFact,
)
from knowledge.facts.selectors import find_active_fact, get_fact, list_facts


@dataclass(frozen=True, slots=True)
class Applied:
    """What came of a delta."""

    outcome: DeltaOutcome
    detail: str = ""
    fact_id: int | None = None
    replaced_fact_id: int | None = None
    candidate_id: int | None = None


def apply_verdict(run: ExtractionRun, verdict: Verdict, given: Given, denials: Denials) -> Applied:
    """What came of an accepted delta; no candidate becomes a fact that a later message of the run denies. Call it under
    the player's lock.
    """
    said = {message.id: message for message in given.messages}
    if verdict.operation == Operation.REMOVE:
        return _remove(run, verdict, said)
    draft = _draft(run, verdict, said)
    if draft.expires_at is not None and draft.expires_at <= timezone.now():
        return Applied(DeltaOutcome.OUTDATED, "The event is over.")
    if _replaces_protected(run, draft):
        return Applied(DeltaOutcome.OUTDATED, "An allergy or a ban is never replaced by a proposal.")
    if verdict.operation != Operation.CONFIRM and not is_fact_at_once(verdict):
        return _collect(run, verdict, draft, said, denials)
    return write_fact(run.tenant_id, run.end_user_id, draft)


def write_fact(tenant_id: int, end_user_id: int, draft: FactDraft, **decision: str) -> Applied:
    """What came of a draft of the second stage, and of the candidates of its key. Under the player's lock.

    `decision` holds `made_by` and `reason` where a person promotes a candidate.
    """
    flaw = validate_fact_draft(draft)
    if flaw is not None:
        return Applied(DeltaOutcome.OUTDATED, flaw.detail)
    [applied] = apply_facts_under_lock(tenant_id=tenant_id, end_user_id=end_user_id, drafts=[draft])
    if applied.outcome == "outdated":
        return Applied(DeltaOutcome.OUTDATED, "Something later is known, or it was forgotten.")
    settle_candidates(applied.fact, value=applied.value, **decision)
    return Applied(DeltaOutcome(applied.outcome), "", applied.fact.pk, applied.superseded_id)


def _draft(run: ExtractionRun, verdict: Verdict, said: dict[int, GivenMessage]) -> FactDraft:
    """The fact as it is to be kept: proved by the messages of its quotes, said when the newest of them was.

    One that confirms has the words of the fact that it confirms.
    """
    last = _find_last(verdict.evidence, said)
    key, value = verdict.key, verdict.value
    if verdict.operation == Operation.CONFIRM and verdict.fact_id is not None:
        known = get_fact(tenant_id=run.tenant_id, end_user_id=run.end_user_id, fact_id=verdict.fact_id)
        key, value = known.key or key, known.value or value
    draft = FactDraft(
        type=verdict.type,
        key=key,
        value=value,
        source=FactSource.BATCH,
        evidence=tuple(span.message_id for span in verdict.evidence),
        evidence_span=_list_neighbours(verdict.evidence, said),
        confidence=verdict.confidence,
        language=verdict.language or last.language,
        valid_from=last.said_at,
        expires_at=verdict.expires_at,
        said_in=last.id,
    )
    if draft.type == "budget":
        budgets = {
            cast("str", fact.key): cast("str", fact.value)
            for fact in list_facts(tenant_id=run.tenant_id, end_user_id=run.end_user_id, type="budget")
        }
        draft = replace(draft, key=choose_budget_key(draft.key or "", draft.value, budgets))
    return complete(draft, now=timezone.now())


def _find_last(evidence: Sequence[EvidenceSpan], said: dict[int, GivenMessage]) -> GivenMessage:
    """The newest message in which the player says it."""
    own = [said[span.message_id] for span in evidence if not span.is_question]
    return max(own, key=lambda message: (message.said_at, message.id))


def _list_neighbours(evidence: Sequence[EvidenceSpan], said: dict[int, GivenMessage]) -> tuple[int, ...]:
    """The messages right before and after those of the evidence, as far as the run saw them."""
    places = {(message.conversation_id, message.seq): message.id for message in said.values() if message.seq}
    around: list[int] = []
    for span in evidence:
        message = said[span.message_id]
        around += [
            places[place]
            for place in ((message.conversation_id, message.seq - 1), (message.conversation_id, message.seq + 1))
            if place in places
        ]
    return tuple(around)


def _replaces_protected(run: ExtractionRun, draft: FactDraft) -> bool:
    if draft.type not in PROTECTED_TYPES:
        return False
    known = find_active_fact(tenant_id=run.tenant_id, end_user_id=run.end_user_id, type=draft.type, key=draft.key or "")
    return known is not None and (known.value or "").casefold() != draft.value.casefold()


def _collect(
    run: ExtractionRun, verdict: Verdict, draft: FactDraft, said: dict[int, GivenMessage], denials: Denials
) -> Applied:
    """One more statement of a candidate, which becomes a fact where enough of them are independent."""
    collected = collect_candidate(run, draft, verdict.evidence, said)
    if collected.candidate_id is None:
        return Applied(DeltaOutcome.OUTDATED, collected.detail)
    if collected.ready is None or is_denied_later(collected.ready, denials):
        return Applied(DeltaOutcome.CANDIDATE, collected.detail, candidate_id=collected.candidate_id)
    written = write_fact(run.tenant_id, run.end_user_id, collected.ready)
    return Applied(
        written.outcome, written.detail, written.fact_id, written.replaced_fact_id, candidate_id=collected.candidate_id
    )


def _remove(run: ExtractionRun, verdict: Verdict, said: dict[int, GivenMessage]) -> Applied:
    """A denial in so many words ends an ordinary fact; a lesser one, or one of what protects a person, disputes it."""
    last = _find_last(verdict.evidence, said)
    fact = UserFact.objects.get(end_user_id=run.end_user_id, pk=verdict.fact_id or 0)
    decided = MemoryCorrection.objects.filter(
        fact=fact, correction_type=CorrectionType.SUPPORT, created_at__gt=last.said_at
    )
    if not fact.is_active or fact.said_at > last.said_at or decided.exists():
        return Applied(
            DeltaOutcome.OUTDATED, "It was said again later, a person decided on it, or it has ended.", fact_id=fact.pk
        )
    span = next(each for each in verdict.evidence if each.message_id == last.id)
    correction = Correction(
        type=CorrectionType.USER_DENIED,
        trigger_message_id=last.id,
        language=verdict.language,
        said_at=last.said_at,
        basis=CorrectionBasis.EXPLICIT if verdict.is_denied else CorrectionBasis.CLAIM,
        quote_start=span.start,
        quote_end=span.end,
    )
    owner = {"tenant_id": run.tenant_id, "end_user_id": run.end_user_id, "fact_id": fact.pk}
    if fact.is_protected or not verdict.is_denied:
        dispute_fact(**owner, correction=correction)
        return Applied(DeltaOutcome.DISPUTED, fact_id=fact.pk)
    deactivate_fact(**owner, correction=correction)
    return Applied(DeltaOutcome.ENDED, fact_id=fact.pk)
