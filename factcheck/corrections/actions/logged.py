"""Corrections taken from the log: what was decided then is decided still."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import Q

from episodes.models import Message, MessageRole
from knowledge.facts.actions import Correction, deactivate_fact, dispute_fact, restore_fact
from knowledge.facts.models import (
    PROTECTED_TYPES,
    CorrectionBasis,
    CorrectionOutcome,
    FactSource,
    MemoryCorrection,
    UserFact,
)
from knowledge.facts.selectors import FactView, find_active_fact
from knowledge.facts.selectors.facts import view_fact
from tenancy.models import EndUser


def apply_recorded(shadow: EndUser, rows: Sequence[MemoryCorrection], *, said_at: dt.datetime) -> bool:
    """Each correction once more, on what the shadow user knows by the same type and key; a doubt only about the value
    that was doubted. Whether there was something that one of them is about. Raises FactKeysMissing."""
    fits = False
    owner_filter = {"tenant_id": shadow.tenant_id, "end_user_id": shadow.pk}
    for row in rows:
        if row.fact is None or row.outcome == CorrectionOutcome.FORGOTTEN:  # RAW itself forgot the words
            fits = True
            continue
        old = view_fact(row.fact)
        fact = find_active_fact(**owner_filter, type=old.type, key=old.key or "")
        is_doubt = row.outcome in (CorrectionOutcome.DISPUTED, CorrectionOutcome.RESTORED)
        if fact is None or (is_doubt and (fact.value or "").casefold() != (old.value or "").casefold()):
            continue
        fits = True
        correction = Correction(
            type=row.correction_type,
            trigger_message_id=row.trigger_message_id,
            corrected_message_id=row.corrected_message_id,
            language=row.language,
            reason=row.reason,
            made_by=row.made_by,
            said_at=said_at,
            basis=row.basis or CorrectionBasis.RECORDED,
        )
        if row.outcome == CorrectionOutcome.DISPUTED:
            dispute_fact(**owner_filter, fact_id=fact.id, correction=correction)
        elif row.outcome == CorrectionOutcome.RESTORED:
            if fact.is_disputed:
                restore_fact(**owner_filter, fact_id=fact.id, correction=correction)
        elif row.outcome == CorrectionOutcome.DEACTIVATED or _is_replacement_gone(row.fact):
            deactivate_fact(**owner_filter, fact_id=fact.id, correction=correction)
    return fits


def list_replacements(user: EndUser, message: Message) -> list[FactView]:
    """What the message's corrections put in the place of something else and is not erased. One query."""
    rows = UserFact.objects.filter(
        tenant_id=user.tenant_id,
        end_user_id=user.pk,
        source=FactSource.CORRECTION,
        evidence__contains=[message.pk],
        valid_from=message.said_at,
    )
    return [view_fact(row) for row in rows.exclude(value_sealed=b"").order_by("pk")]


def list_kept_answers(user: EndUser, message: Message) -> list[FactView]:
    """What protects the player of what a bare answer was understood to say before its question was forgotten.

    Everything else goes with its question. Two queries.
    """
    asked = Message.objects.gone().filter(
        Q(seq=message.seq - 1) | Q(pk=message.reply_to_id),
        conversation_id=message.conversation_id,
        role=MessageRole.ASSISTANT,
        is_current=True,
    )
    if not asked.exists():
        return []
    rows = UserFact.objects.filter(
        tenant_id=user.tenant_id,
        end_user_id=user.pk,
        source=FactSource.INSTANT_PATTERN,
        type__in=PROTECTED_TYPES,
        evidence__contains=[message.pk],
    )
    return [view_fact(row) for row in rows.exclude(value_sealed=b"").order_by("pk")]


def list_ended_keys(rows: Sequence[MemoryCorrection]) -> set[tuple[str, str]]:
    """Type and key of the facts that corrections of one message ended: its words deny them and do not state them."""
    ended = [view_fact(row.fact) for row in rows if row.outcome == CorrectionOutcome.DEACTIVATED and row.fact]
    return {(fact.type, fact.key or "") for fact in ended}


def _is_replacement_gone(fact: UserFact) -> bool:
    replacement = fact.superseded_by
    return replacement is None or not bytes(replacement.value_sealed)
