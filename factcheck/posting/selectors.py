"""What a message was understood to say, as a key of one world may read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from episodes.facts.selectors.worlds import FactsOfWorld, find_facts_of_world
from episodes.models import Message
from factcheck.core.message_extraction import CorrectionExtraction, FactExtraction, MessageExtraction
from factcheck.posting.actions.messages import PostedMessage
from knowledge.facts.models import CorrectionOutcome


def hide_other_worlds(posted: Sequence[PostedMessage], world_id: int | None) -> list[PostedMessage]:
    """The same for a key of the tenant, None; for a key of one world, as if no other had ever heard of the player.

    Three queries at most, and none where nothing was understood.
    """
    said = [each for each in posted if each.understood.facts or each.understood.corrections]
    if world_id is None or not said:
        return list(posted)
    first = Message.objects.select_related("conversation").get(pk=said[0].message.pk)
    own = find_facts_of_world(tenant_id=first.tenant_id, end_user_id=first.conversation.end_user_id, world_id=world_id)
    earliest = min(each.message.seq for each in said)
    before = Message.objects.filter(conversation_id=first.conversation_id, seq=earliest - 1, is_current=True)
    fresh_from = before.values_list("pk", flat=True).first() or said[0].message.pk
    return [replace(each, understood=_hide(each.understood, own, fresh_from)) for each in posted]


def _hide(understood: MessageExtraction, own: FactsOfWorld, fresh_from: int) -> MessageExtraction:
    return replace(
        understood,
        facts=tuple(_hide_fact(fact, own, fresh_from) for fact in understood.facts),
        corrections=tuple(_hide_correction(each, own, fresh_from) for each in understood.corrections),
    )


def _hide_fact(fact: FactExtraction, own: FactsOfWorld, fresh_from: int) -> FactExtraction:
    """The fact with its world's evidence; what only another world knew before is told as new."""
    evidence = tuple(each for each in fact.evidence if each in own.message_ids)
    span = tuple(each for each in fact.evidence_span if each in own.message_ids)
    superseded_id = fact.superseded_id if fact.superseded_id in own.fact_ids else None
    outcome = fact.outcome
    if outcome == "superseded" and superseded_id is None:
        outcome = "written"
    if outcome in ("confirmed", "restored") and not any(each < fresh_from for each in evidence):
        outcome = "written"
    return replace(fact, evidence=evidence, evidence_span=span, superseded_id=superseded_id, outcome=outcome)


def _hide_correction(correction: CorrectionExtraction, own: FactsOfWorld, fresh_from: int) -> CorrectionExtraction:
    """The correction; one of a fact that this world does not hold is told as one that matched nothing."""
    is_forgotten = correction.receipt_id is not None  # of this conversation; the fact is erased by now
    if correction.fact_id is not None and correction.fact_id not in own.fact_ids and not is_forgotten:
        return replace(
            correction,
            outcome=str(CorrectionOutcome.UNMATCHED),
            fact_id=None,
            fact_type="",
            fact_key="",
            fact_value="",
            replacement=None,
        )
    if correction.replacement is None:
        return correction
    return replace(correction, replacement=_hide_fact(correction.replacement, own, fresh_from))
