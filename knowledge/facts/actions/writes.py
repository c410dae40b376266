"""Facts become known: written, confirmed, or put in the place of what was known before."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from django.db import transaction
from django.utils import timezone

from knowledge.facts.actions.locks import lock_end_user
from knowledge.facts.actions.tombstones import is_buried
from knowledge.facts.core.cipher import KeyRing
from knowledge.facts.core.drafts import FactDraft, complete, validate_fact_draft
from knowledge.facts.models import EndReason, FactSource, UserFact
from knowledge.facts.sealing import get_key_ring, seal_context, unseal
from memoryproject.prepared import fetch_prepared, insert_prepared, prepared_cursor

Outcome = Literal["written", "superseded", "confirmed", "restored", "outdated"]

STATED_NOW = (FactSource.EXPLICIT, FactSource.ONBOARDING)
_NEWEST = """
SELECT {columns} FROM knowledge_userfact
WHERE tenant_id = %s AND end_user_id = %s AND type = %s AND key_index = %s
ORDER BY id DESC LIMIT 1
"""
_ADD_NEIGHBOUR = """
UPDATE knowledge_userfact SET evidence_span = array_append(evidence_span, %(message)s::bigint), updated_at = now()
WHERE tenant_id = %(tenant)s AND end_user_id = %(end_user)s AND is_active AND said_in = %(said_in)s
    AND NOT evidence @> ARRAY[%(message)s::bigint] AND NOT evidence_span @> ARRAY[%(message)s::bigint]
"""
MAX_EVIDENCE = 200
"""Of a fact that is said again and again, the newest messages are proof enough."""


@dataclass(frozen=True, slots=True)
class AppliedFact:
    """What came of a draft: a new fact, perhaps in the place of another, or more proof of the one that stands.

    `outdated` changed nothing: `fact` is the version that was said or denied later than the draft, or, of what was
    deleted or forgotten later, one that is not stored.
    """

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

    The same value again confirms: evidence is added, an event's time is renewed, an earlier dispute is settled.
    Another value supersedes (by trigger). What is doubtful is written as disputed, supersedes nothing and settles no
    dispute. What was said (`valid_from`) before the last word on its key, or before its
    fact was deleted or forgotten, is outdated and changes nothing, so that histories may come in any order; what the
    engine states by itself (`explicit`, `onboarding`) is stated now, whatever was deleted. Locks the end user.
    Raises InvalidFact, SoftFactType, FactKeysMissing, UnknownEndUser.
    """
    for position, draft in enumerate(drafts):
        flaw = validate_fact_draft(draft)
        if flaw is not None:
            raise flaw.error(flaw.detail, position=position)
    if not drafts:
        return []
    get_key_ring()  # without keys it raises here, where the caller's transaction is still whole
    with transaction.atomic(savepoint=False):
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        return apply_facts_under_lock(tenant_id=tenant_id, end_user_id=end_user_id, drafts=drafts)


def apply_facts_under_lock(*, tenant_id: int, end_user_id: int, drafts: Sequence[FactDraft]) -> list[AppliedFact]:
    """What came of each draft that has no flaw; see `apply_facts`. Call it under the user's lock."""
    if not drafts:
        return []
    ring, now = get_key_ring(), timezone.now()
    return [_apply(tenant_id, end_user_id, complete(draft, now=now), ring) for draft in drafts]


def add_neighbour(*, tenant_id: int, end_user_id: int, said_in: int, message_id: int) -> int:
    """How many active facts that a message last said now hold another, its neighbour, in their span.

    Call it under the user's lock.
    """
    with prepared_cursor() as cursor:
        cursor.execute(
            _ADD_NEIGHBOUR,
            {"tenant": tenant_id, "end_user": end_user_id, "said_in": said_in, "message": message_id},
        )
        return int(cursor.rowcount)


def _find_newest(tenant_id: int, end_user_id: int, draft: FactDraft, ring: KeyRing) -> UserFact | None:
    """The newest version of the draft's key: the active one, if there is one, and always the one with the last word."""
    context = seal_context(tenant_id=tenant_id, end_user_id=end_user_id, type_=draft.type, field="index")
    key_index = ring.blind_index(draft.key or "", context=context)
    return next(iter(fetch_prepared(UserFact, _NEWEST, (tenant_id, end_user_id, draft.type, key_index))), None)


def _apply(tenant_id: int, end_user_id: int, draft: FactDraft, ring: KeyRing) -> AppliedFact:
    key, said_at = draft.key or "", draft.valid_from or timezone.now()
    newest = _find_newest(tenant_id, end_user_id, draft, ring)
    active = newest if newest is not None and newest.is_active else None
    is_over = active is not None and active.expires_at is not None and active.expires_at <= said_at
    if active is not None and not is_over:
        known = _read_value(active, ring)
        if draft.is_doubtful or known.casefold() == draft.value.casefold():
            return _confirm(active, replace(draft, value=known), key, said_at)
    if newest is not None and _last_word_at(newest) > said_at:
        return AppliedFact(newest, key, draft.value, "outdated")
    fact = build_fact(tenant_id, end_user_id, draft, ring, said_at)
    if _is_buried(fact, active):
        return AppliedFact(fact, key, draft.value, "outdated")
    insert_prepared(fact)
    if active is None:
        return AppliedFact(fact, key, draft.value, "written")
    return AppliedFact(fact, key, draft.value, "superseded", superseded_id=active.pk)


def _last_word_at(version: UserFact) -> dt.datetime:
    """When a version was last said or denied; that its time ran out, or RAW bears it out no more, is nobody's word."""
    if version.valid_to is None or version.ended_reason in (EndReason.EXPIRED, EndReason.REBUILT):
        return version.said_at
    return max(version.said_at, version.valid_to)


def _is_buried(fact: UserFact, active: UserFact | None) -> bool:
    if fact.source in STATED_NOW:
        return False
    if active is not None and active.source not in STATED_NOW and active.said_at <= fact.said_at:
        return False  # the active version was not buried, and this one was said later
    return is_buried((fact.tenant_id, fact.end_user_id, fact.type, bytes(fact.key_index)), said_at=fact.said_at)


def build_fact(tenant_id: int, end_user_id: int, draft: FactDraft, ring: KeyRing, said_at: dt.datetime) -> UserFact:
    """A sealed version of a complete draft, not stored yet."""

    def context(field: str) -> str:
        return seal_context(tenant_id=tenant_id, end_user_id=end_user_id, type_=draft.type, field=field)

    key = draft.key or ""
    return UserFact(
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
        evidence_span=list(draft.evidence_span),
        stated_in=list(draft.stated_in),
        said_at=said_at,
        said_in=draft.said_in,
        valid_from=said_at,
        expires_at=draft.expires_at,
        is_disputed=draft.is_doubtful,
        disputed_at=said_at if draft.is_doubtful else None,
    )


def _confirm(active: UserFact, draft: FactDraft, key: str, said_at: dt.datetime) -> AppliedFact:
    is_unsure = draft.is_doubtful or draft.source == FactSource.BATCH  # proof that settles no doubt, raises no trust
    settles = active.is_disputed and not is_unsure and said_at >= (active.disputed_at or said_at)
    active.evidence = sorted({*active.evidence, *draft.evidence})[-MAX_EVIDENCE:]
    around = {*active.evidence_span, *draft.evidence_span} - set(active.evidence)
    active.evidence_span = sorted(around)[-2 * MAX_EVIDENCE :]
    active.stated_in = sorted({*active.stated_in, *draft.stated_in})
    if not is_unsure:
        active.confidence = max(active.confidence, draft.confidence)
    active.expires_at = _later(active.expires_at, draft.expires_at)
    if said_at >= active.said_at:
        active.said_at, active.said_in = said_at, draft.said_in
    if settles:
        active.is_disputed = False
        active.corrected_message_id = None
    active.save()
    return AppliedFact(active, key, draft.value, "restored" if settles else "confirmed")


def _read_value(fact: UserFact, ring: KeyRing) -> str:
    context = seal_context(tenant_id=fact.tenant_id, end_user_id=fact.end_user_id, type_=fact.type, field="value")
    return unseal(ring, bytes(fact.value_sealed), context=context)


def _later(one: dt.datetime | None, other: dt.datetime | None) -> dt.datetime | None:
    return max((time for time in (one, other) if time is not None), default=None)
