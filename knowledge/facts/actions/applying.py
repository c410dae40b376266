"""Facts become known: written, confirmed, or put in the place of what was known before."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.utils import timezone

from knowledge.errors import InvalidFact, SoftFactType
from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.core.cipher import KeyRing
from knowledge.facts.core.drafts import FactDraft, complete, find_fact_flaw
from knowledge.facts.models import UserFact
from knowledge.facts.sealing import get_key_ring, seal_context, unseal

Outcome = Literal["written", "superseded", "confirmed", "restored"]


@dataclass(frozen=True, slots=True)
class AppliedFact:
    """What came of a draft: a new fact, perhaps in the place of another, or more proof of the one that stands."""

    fact: UserFact
    key: str
    value: str
    outcome: Outcome
    superseded_id: int | None = None


def apply_fact(*, tenant_id: int, end_user_id: int, draft: FactDraft) -> AppliedFact:
    """What came of one draft; see `apply_facts`."""
    return apply_facts(tenant_id=tenant_id, end_user_id=end_user_id, drafts=[draft])[0]


def apply_facts(*, tenant_id: int, end_user_id: int, drafts: Sequence[FactDraft]) -> list[AppliedFact]:
    """What came of each draft, in order, all or none.

    The same value again confirms: evidence is added, an event's time is renewed, a dispute is settled. Another value
    supersedes (by trigger). Locks the end user. Raises InvalidFact, SoftFactType, FactKeysMissing, UnknownEndUser.
    """
    for position, draft in enumerate(drafts):
        flaw = find_fact_flaw(draft)
        if flaw is not None:
            kind = SoftFactType if flaw.code == SoftFactType.code else InvalidFact
            raise kind(flaw.detail, code=flaw.code, position=position)
    if not drafts:
        return []
    ring = get_key_ring()
    now = timezone.now()
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        return [_apply(tenant_id, end_user_id, complete(draft, now=now), ring) for draft in drafts]


def find_active(
    *, tenant_id: int, end_user_id: int, type_: str, key: str, ring: KeyRing | None = None
) -> UserFact | None:
    """The active fact of a canonical key, if there is one."""
    ring = ring or get_key_ring()
    context = seal_context(tenant_id=tenant_id, end_user_id=end_user_id, type_=type_, field="index")
    return UserFact.objects.filter(
        tenant_id=tenant_id,
        end_user_id=end_user_id,
        type=type_,
        key_index=ring.blind_index(key, context=context),
        is_active=True,
    ).first()


def _apply(tenant_id: int, end_user_id: int, draft: FactDraft, ring: KeyRing) -> AppliedFact:
    key = draft.key or ""
    active = find_active(tenant_id=tenant_id, end_user_id=end_user_id, type_=draft.type, key=key, ring=ring)
    if active is not None and _read_value(active, ring).casefold() == draft.value.casefold():
        return _confirm(active, draft, key)

    def context(field: str) -> str:
        return seal_context(tenant_id=tenant_id, end_user_id=end_user_id, type_=draft.type, field=field)

    fact = UserFact(
        tenant_id=tenant_id,
        end_user_id=end_user_id,
        type=draft.type,
        key_index=ring.blind_index(key, context=context("index")),
        key_sealed=ring.encrypt(key, context=context("key")),
        value_sealed=ring.encrypt(draft.value, context=context("value")),
        sealed_by=ring.primary,
        confidence=draft.confidence,
        source=draft.source,
        language=draft.language,
        evidence=list(draft.evidence),
        valid_from=draft.valid_from or timezone.now(),
        expires_at=draft.expires_at,
    )
    fact.save(force_insert=True)
    if active is None:
        return AppliedFact(fact, key, draft.value, "written")
    return AppliedFact(fact, key, draft.value, "superseded", superseded_id=active.pk)


def _confirm(active: UserFact, draft: FactDraft, key: str) -> AppliedFact:
    outcome: Outcome = "restored" if active.is_disputed else "confirmed"
    active.evidence = sorted({*active.evidence, *draft.evidence})
    active.confidence = max(active.confidence, draft.confidence)
    active.expires_at = _later(active.expires_at, draft.expires_at)
    active.is_disputed = False
    active.corrected_message_id = None
    active.save()
    return AppliedFact(active, key, draft.value, outcome)


def _read_value(fact: UserFact, ring: KeyRing) -> str:
    context = seal_context(tenant_id=fact.tenant_id, end_user_id=fact.end_user_id, type_=fact.type, field="value")
    return unseal(ring, bytes(fact.value_sealed), context=context)


def _later(one: dt.datetime | None, other: dt.datetime | None) -> dt.datetime | None:
    return max((time for time in (one, other) if time is not None), default=None)
