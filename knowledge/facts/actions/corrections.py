"""Corrections: a denial ends a fact, a doubt disputes it, a confirmation restores it. Each lands in the log.

Source: seed 002, fix 11.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from knowledge.errors import (
    CorrectedMessageMissing,
    CorrectionReasonMissing,
    FactNotDisputed,
    FactProtected,
    TriggerMessageMissing,
    UnknownCorrectionType,
)
from knowledge.facts.actions.endings import delete_fact
from knowledge.facts.actions.locks import lock_active_fact, lock_end_user, lock_fact
from knowledge.facts.actions.writes import AppliedFact, apply_fact
from knowledge.facts.core.drafts import FactDraft
from knowledge.facts.models import (
    ENDING_BASES,
    CorrectionBasis,
    CorrectionOutcome,
    CorrectionType,
    EndReason,
    MemoryCorrection,
    UserFact,
)

_ENDING_OUTCOMES = (CorrectionOutcome.DEACTIVATED, CorrectionOutcome.SUPERSEDED, CorrectionOutcome.DELETED)


@dataclass(frozen=True, slots=True)
class Correction:
    """What made a correction: a player's message about an assistant's claim, or a support person with a reason.

    `said_at` None is now. `basis` is what an end rests on; the quote is a range of the message that made it.
    """

    type: str
    trigger_message_id: int | None = None
    corrected_message_id: int | None = None
    language: str = ""
    reason: str = ""
    made_by: str = ""
    said_at: dt.datetime | None = None
    basis: str = ""
    quote_start: int | None = None
    quote_end: int | None = None

    @property
    def ground(self) -> str:
        """What an end by it rests on: a person's decision always is one."""
        return CorrectionBasis.SUPPORT if self.type == CorrectionType.SUPPORT else self.basis


def deactivate_fact(*, tenant_id: int, end_user_id: int, fact_id: int, correction: Correction) -> UserFact:
    """The fact, ended as denied. What protects a person, or was stated outright, ends on a plain ground alone.

    Locks user and fact. Raises UnknownFact, FactEnded, InvalidFact.
    """
    _check(correction)
    with transaction.atomic():
        fact = lock_active_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        if fact.is_protected and correction.ground not in ENDING_BASES:
            raise FactProtected("An allergy, a ban or a stated fact ends only on an explicit denial.")
        _log(tenant_id, end_user_id, correction, CorrectionOutcome.DEACTIVATED, fact)
        fact.is_active = False
        fact.is_disputed = False
        fact.ended_reason = EndReason.DENIED
        fact.valid_to = max(correction.said_at or timezone.now(), fact.valid_from)
        fact.save()
    return fact


def supersede_fact(
    *, tenant_id: int, end_user_id: int, fact_id: int, draft: FactDraft, correction: Correction
) -> AppliedFact:
    """The corrected fact in the place of the wrong one. Locks the user. Raises UnknownFact, FactEnded, InvalidFact.

    A draft under another key ends the wrong fact as denied.
    """
    _check(correction)
    with transaction.atomic():
        wrong = lock_active_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        applied = apply_fact(tenant_id=tenant_id, end_user_id=end_user_id, draft=draft)
        if applied.fact.pk == wrong.pk:
            _log(tenant_id, end_user_id, correction, CorrectionOutcome.RESTORED, wrong)
        elif applied.superseded_id == wrong.pk:
            _log(tenant_id, end_user_id, correction, CorrectionOutcome.SUPERSEDED, wrong)
        else:
            deactivate_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id, correction=correction)
    return applied


def dispute_fact(*, tenant_id: int, end_user_id: int, fact_id: int, correction: Correction) -> UserFact:
    """The fact, active but not to be asserted. Locks user and fact. Raises UnknownFact, FactEnded, InvalidFact."""
    _check(correction)
    if correction.type == CorrectionType.AMBIGUOUS and correction.corrected_message_id is None:
        raise CorrectedMessageMissing("A doubt must name the message that it is about.")
    with transaction.atomic():
        fact = lock_active_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        fact.is_disputed = True
        fact.disputed_at = correction.said_at or timezone.now()
        fact.corrected_message_id = correction.corrected_message_id
        fact.save()
        _log(tenant_id, end_user_id, correction, CorrectionOutcome.DISPUTED, fact)
    return fact


def restore_fact(*, tenant_id: int, end_user_id: int, fact_id: int, correction: Correction) -> UserFact:
    """The fact, disputed no longer. Locks user and fact. Raises UnknownFact, FactEnded, InvalidFact."""
    _check(correction)
    with transaction.atomic():
        fact = lock_active_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        if not fact.is_disputed:
            raise FactNotDisputed(f"The fact {fact_id} is not disputed.")
        fact.is_disputed = False
        fact.corrected_message_id = None
        fact.save()
        _log(tenant_id, end_user_id, correction, CorrectionOutcome.RESTORED, fact)
    return fact


def delete_fact_by_hand(*, tenant_id: int, end_user_id: int, fact_id: int, correction: Correction) -> list[int]:
    """The versions of the fact that lost key and value. Locks user and fact. Raises UnknownFact, InvalidFact."""
    _check(correction)
    with transaction.atomic():
        fact = lock_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        erased = delete_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        _log(tenant_id, end_user_id, correction, CorrectionOutcome.DELETED, fact)
    return erased


def record_forgotten_fact(
    *, tenant_id: int, end_user_id: int, fact_id: int, correction: Correction
) -> MemoryCorrection:
    """The log's entry of a fact whose words the player asked to forget; who forgets them is the caller.

    Locks user and fact. Raises UnknownFact, InvalidFact.
    """
    _check(correction)
    with transaction.atomic():
        fact = lock_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        return _log(tenant_id, end_user_id, correction, CorrectionOutcome.FORGOTTEN, fact)


def record_unmatched_correction(*, tenant_id: int, end_user_id: int, correction: Correction) -> MemoryCorrection:
    """The log's entry of what only sounded like a correction; nothing else changes. Raises UnknownEndUser."""
    _check(correction)
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        return _log(tenant_id, end_user_id, correction, CorrectionOutcome.UNMATCHED, None)


def _check(correction: Correction) -> None:
    if correction.type not in CorrectionType.values:
        raise UnknownCorrectionType(f"There is no correction type {correction.type!r}.")
    is_support = correction.type == CorrectionType.SUPPORT
    if is_support and not correction.reason.strip():
        raise CorrectionReasonMissing("A person who corrects a fact says why.")
    if not is_support and correction.trigger_message_id is None:
        raise TriggerMessageMissing("A correction names the message that made it.")


def _log(
    tenant_id: int, end_user_id: int, correction: Correction, outcome: CorrectionOutcome, fact: UserFact | None
) -> MemoryCorrection:
    return MemoryCorrection.objects.create(
        tenant_id=tenant_id,
        end_user_id=end_user_id,
        trigger_message_id=correction.trigger_message_id,
        corrected_message_id=correction.corrected_message_id,
        fact=fact,
        correction_type=correction.type,
        outcome=outcome,
        basis=correction.ground if outcome in _ENDING_OUTCOMES else "",
        quote_start=correction.quote_start,
        quote_end=correction.quote_end,
        language=correction.language,
        reason=correction.reason.strip()[:500],
        made_by=correction.made_by,
    )
