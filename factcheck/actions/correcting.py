"""What a player's "no, that's wrong" does to the facts that the assistant's last message claimed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from episodes.models import Message
from factcheck.actions.drafting import draft_fact, get_said_at, tell_applied
from factcheck.core.instant.corrections import Correction as Detected
from factcheck.core.instant.corrections import KnownFact, detect_correction
from factcheck.core.instant.extraction import ExtractedFact
from factcheck.core.instant.frames import Frame
from factcheck.core.understanding import Neighbours, Reading, UnderstoodCorrection
from factcheck.registry import get_compiled
from knowledge.facts.actions import (
    Correction,
    deactivate_fact,
    dispute_fact,
    record_unmatched_correction,
    restore_fact,
    supersede_fact,
)
from knowledge.facts.models import CorrectionOutcome, CorrectionType
from knowledge.facts.selectors import list_facts_said_by

Applied = tuple[tuple[UnderstoodCorrection, ...], frozenset[tuple[str, str]]]
_TYPES = {
    "denied": CorrectionType.USER_DENIED,
    "replaced": CorrectionType.USER_DENIED,
    "outdated": CorrectionType.OUTDATED,
    "wrong_subject": CorrectionType.WRONG_SUBJECT,
    "ambiguous": CorrectionType.AMBIGUOUS,
    "confirmed": CorrectionType.CONFIRMED,
    "unmatched": CorrectionType.AMBIGUOUS,
}


def apply_correction(
    *,
    end_user_id: int,
    message: Message,
    reading: Reading,
    around: Neighbours,
    evidence: Sequence[int],
    is_heard_again: bool = False,
) -> Applied:
    """What came of a message's correction, and the (type, key) of what it put in the place of something else.

    Facts that were said after the message (of an imported history) are not its to correct. One that matches nothing
    is logged as such, but not when it `is_heard_again`. Call it under the user's lock.
    Raises FactKeysMissing. Source: seed 002, fix 11.
    """
    said_at = get_said_at(message)
    known = [
        KnownFact(fact.id, fact.type, cast("str", fact.key), cast("str", fact.value), fact.is_disputed)
        for fact in list_facts_said_by(tenant_id=message.tenant_id, end_user_id=end_user_id, time=said_at)
    ]
    version = get_compiled()
    found = detect_correction(
        message.content,
        previous_assistant_text=around.claim,
        facts=known,
        extracted=reading.facts,
        compiled=version.patterns,
        concepts=version.concepts,
        frame=cast("Frame", message.frame),
        now=said_at,
    )
    if found is None:
        return (), frozenset()
    correction = Correction(
        type=_TYPES[found.outcome],
        trigger_message_id=message.pk,
        corrected_message_id=around.claim_id,
        language=found.language,
        said_at=said_at,
    )
    whose = {"tenant_id": message.tenant_id, "end_user_id": end_user_id}
    if not found.facts:
        if not is_heard_again:
            record_unmatched_correction(**whose, correction=correction)
        return (_tell(CorrectionOutcome.UNMATCHED, found, correction, None),), frozenset()
    if found.replacement is not None:
        return _replace(whose, found, found.replacement, correction, message, evidence)
    told = [_correct_one(whose, found, correction, fact) for fact in found.facts]
    return tuple(told), frozenset()


def _replace(
    whose: dict[str, int],
    found: Detected,
    new: ExtractedFact,
    correction: Correction,
    message: Message,
    evidence: Sequence[int],
) -> Applied:
    wrong = found.facts[0]
    draft = draft_fact(new, message, evidence=evidence, source="correction")
    applied = supersede_fact(**whose, fact_id=wrong.id, draft=draft, correction=correction)
    is_superseded = applied.superseded_id == wrong.id
    outcome = CorrectionOutcome.SUPERSEDED if is_superseded else CorrectionOutcome.DEACTIVATED
    told = replace(_tell(outcome, found, correction, wrong), replacement=tell_applied(applied, new.quote))
    return (told,), frozenset({(new.type, new.key)})


def _correct_one(
    whose: dict[str, int], found: Detected, correction: Correction, fact: KnownFact
) -> UnderstoodCorrection:
    if found.outcome == "confirmed":
        restore_fact(**whose, fact_id=fact.id, correction=correction)
        return _tell(CorrectionOutcome.RESTORED, found, correction, fact)
    if found.outcome == "ambiguous":
        dispute_fact(**whose, fact_id=fact.id, correction=correction)
        return _tell(CorrectionOutcome.DISPUTED, found, correction, fact)
    deactivate_fact(**whose, fact_id=fact.id, correction=correction)
    return _tell(CorrectionOutcome.DEACTIVATED, found, correction, fact)


def _tell(
    outcome: CorrectionOutcome, found: Detected, correction: Correction, fact: KnownFact | None
) -> UnderstoodCorrection:
    return UnderstoodCorrection(
        outcome=str(outcome),
        type=str(correction.type),
        language=found.language,
        fact_id=None if fact is None else fact.id,
        corrected_message_id=correction.corrected_message_id,
    )
