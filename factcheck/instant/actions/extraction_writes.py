"""What a stored message does to what is known of its author: corrections first, then its facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from episodes.models import Message
from factcheck.core.message_extraction import (
    AdjacentMessages,
    FactExtraction,
    MessageExtraction,
    Reading,
)
from factcheck.corrections.actions.corrections import Applied, apply_correction
from factcheck.instant.actions.extraction import read_kept
from factcheck.instant.core.extracted import ExtractedFact
from factcheck.instant.core.money import choose_budget_key
from knowledge.facts.actions import apply_facts_under_lock
from knowledge.facts.core.drafts import FactDraft, complete, validate_fact_draft
from knowledge.facts.selectors import list_facts_said_by


def extract_message(
    *, end_user_id: int, message: Message, reading: Reading, around: AdjacentMessages
) -> MessageExtraction:
    """What came of a message's facts and corrections, within the caller's transaction, under the user's lock.

    What it answers is read with the assistant's question, and then that is evidence as well: before the transaction,
    and here once more where another message came between. The messages before and after are its span. What was over
    when the message came is told as outdated, not kept. Raises FactKeysMissing.
    """
    if reading.may_answer and around.answered != reading.answered:
        again = read_kept(message, end_user_id=end_user_id, previous=around.answered)
        reading = replace(again, reads_changes=reading.reads_changes)
    applied = Applied()
    if reading.may_correct:
        applied = apply_correction(end_user_id=end_user_id, message=message, reading=reading, around=around)
    said = [fact for fact in reading.facts if (fact.type, fact.key) not in applied.settled]
    kept = keep_facts(end_user_id, message, said, around)
    if applied.added:
        kept += keep_facts(end_user_id, message, applied.added, around, source="correction")
    return MessageExtraction(kept, applied.told)


def keep_facts(
    end_user_id: int,
    message: Message,
    facts: Sequence[ExtractedFact],
    around: AdjacentMessages,
    *,
    source: str = "instant_pattern",
) -> tuple[FactExtraction, ...]:
    """What came of a message's facts, whatever it corrects; see `extract_message`."""
    facts = _separate_budgets(end_user_id, message, facts)
    drafts = [
        complete(
            around.draft_fact(fact, said_in=message.pk, said_at=message.said_at, source=source),
            now=message.created_at,
        )
        for fact in facts
    ]
    kept = [
        (fact, draft)
        for fact, draft in zip(facts, drafts, strict=True)
        if validate_fact_draft(draft) is None and not _is_over(draft, message)
    ]
    applied = apply_facts_under_lock(
        tenant_id=message.tenant_id, end_user_id=end_user_id, drafts=[draft for _, draft in kept]
    )
    told = {
        id(fact): FactExtraction.from_applied(each, fact.quote) for (fact, _), each in zip(kept, applied, strict=True)
    }
    for fact, draft in zip(facts, drafts, strict=True):
        if _is_over(draft, message):
            told[id(fact)] = FactExtraction.from_ended(draft, fact.quote)
    return tuple(told[id(fact)] for fact in facts if id(fact) in told)


def _separate_budgets(end_user_id: int, message: Message, facts: Sequence[ExtractedFact]) -> list[ExtractedFact]:
    """The facts, with budgets of another currency than the known one under keys of their own."""
    if not any(fact.type == "budget" for fact in facts):
        return list(facts)
    rows = list_facts_said_by(tenant_id=message.tenant_id, end_user_id=end_user_id, time=message.said_at)
    known = {cast("str", row.key): cast("str", row.value) for row in rows if row.type == "budget"}
    separated: list[ExtractedFact] = []
    for fact in facts:
        if fact.type == "budget":
            key = choose_budget_key(fact.key, fact.value, known)
            known[key] = fact.value
            separated.append(replace(fact, key=key))
        else:
            separated.append(fact)
    return separated


def _is_over(draft: FactDraft, message: Message) -> bool:
    return draft.expires_at is not None and draft.expires_at <= message.created_at
