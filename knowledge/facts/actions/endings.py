"""Facts end: by the clock, by order, or because what they rest on is forgotten."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Case, F, Func, Q, QuerySet, Value, When
from django.db.models.functions import Greatest
from django.utils import timezone

from knowledge.facts.actions.locks import lock_end_user, lock_fact
from knowledge.facts.actions.tombstones import bury_decided_keys, bury_keys, clear_tombstones
from knowledge.facts.models import FORGOTTEN_REASON, EndReason, MemoryCorrection, UserFact

EXPIRY_BATCH_SIZE = 1000


def expire_facts(*, now: dt.datetime | None = None) -> int:
    """How many events were ended because their time has passed. Several at once do no harm."""
    now = now or timezone.now()
    due = UserFact.objects.filter(is_active=True, expires_at__lte=now)
    ended = 0
    while True:
        with transaction.atomic():
            ids = list(
                due.select_for_update(no_key=True, skip_locked=True)
                .order_by("pk")
                .values_list("pk", flat=True)[:EXPIRY_BATCH_SIZE]
            )
            if not ids:
                return ended
            ended += UserFact.objects.filter(pk__in=ids).update(
                is_active=False,
                is_disputed=False,
                ended_reason=EndReason.EXPIRED,
                valid_to=Greatest(F("expires_at"), F("valid_from")),
                updated_at=now,
            )


def delete_fact(*, tenant_id: int, end_user_id: int, fact_id: int) -> list[int]:
    """The versions of the fact that lost key and value: all that there ever were. It can't be undone.

    What was said so far does not bring it back; newer words may. Locks user and fact. Raises UnknownFact.
    """
    with transaction.atomic():
        fact = lock_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        versions = UserFact.objects.filter(
            tenant_id=tenant_id, end_user_id=end_user_id, type=fact.type, key_index=fact.key_index
        )
        erased = _erase(versions, EndReason.DELETED)
        clear_correction_reasons(tenant_id=tenant_id, end_user_id=end_user_id)
    return erased


def forget_facts(*, tenant_id: int, end_user_id: int, fact_ids: Iterable[int], message_ids: Iterable[int]) -> list[int]:
    """Those of the facts that lost key and value because nothing proves them without the messages.

    All other facts lose the messages as proofs and as neighbours, and stay. What is told later and was said so far does
    not bring back a fact of which no active version is left; nothing brings back what a person ended. Locks the user,
    then the facts. Source: seed 002, fix 15.
    """
    gone = list(message_ids)
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        ids = list(fact_ids)
        facts = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, pk__in=ids)
        if ids:
            bury_decided_keys(tenant_id=tenant_id, end_user_id=end_user_id, fact_ids=ids)
        erased = _erase(facts, EndReason.FORGOTTEN)
        _withdraw(list_facts_around(tenant_id, end_user_id, gone), gone)
        return erased


def erase_facts(*, tenant_id: int, end_user_id: int) -> list[int]:
    """The facts that lost key and value: all of the user's, onboarding too. Locks the user, then the facts.

    Nothing is held against what comes later: tombstones go, too.
    """
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        facts = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id)
        erased = _erase(facts, EndReason.DELETED)
        clear_tombstones(tenant_id=tenant_id, end_user_id=end_user_id)
    return erased


def erase_versions(*, tenant_id: int, end_user_id: int, fact_ids: Iterable[int]) -> list[int]:
    """Those of the versions that lost key and value now. Locks the user, then the facts."""
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        facts = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, pk__in=list(fact_ids))
        erased = _erase(facts, EndReason.DELETED)
        clear_correction_reasons(tenant_id=tenant_id, end_user_id=end_user_id)
    return erased


def withdraw_proofs(
    *, tenant_id: int, end_user_id: int, fact_ids: Iterable[int], message_ids: Iterable[int], world_id: int | None
) -> int:
    """How many versions lost these proofs, and what a world stated by itself; each rests on something else, and stays.

    Locks the user, then the facts.
    """
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        facts = UserFact.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, pk__in=list(fact_ids))
        return _withdraw(facts, message_ids, world_id)


def clear_correction_reasons(*, tenant_id: int, end_user_id: int) -> int:
    """How many reasons in the log of corrections were cleared because their fact is erased: they may quote it."""
    quoting = MemoryCorrection.objects.filter(tenant_id=tenant_id, end_user_id=end_user_id, fact__value_sealed=b"")
    return quoting.exclude(reason__in=["", FORGOTTEN_REASON]).update(reason=FORGOTTEN_REASON)


def list_facts_around(tenant_id: int, end_user_id: int, message_ids: Iterable[int]) -> QuerySet[UserFact]:
    """The facts that these messages prove or explain, erased ones left out."""
    ids = list(message_ids)
    around = Q(evidence__overlap=ids) | Q(evidence_span__overlap=ids)
    facts = UserFact.objects.filter(around, tenant_id=tenant_id, end_user_id=end_user_id)
    return facts.exclude(value_sealed=b"")


def _withdraw(facts: QuerySet[UserFact], message_ids: Iterable[int], world_id: int | None = None) -> int:
    """How many facts lost the messages, and what a world stated by itself. Locks them in pk order."""
    gone = set(message_ids)
    rows = list(facts.select_for_update(no_key=True).order_by("pk"))
    for row in rows:
        row.evidence = [each for each in row.evidence if each not in gone]
        row.evidence_span = [each for each in row.evidence_span if each not in gone]
        row.stated_in = [each for each in row.stated_in if each != world_id]
        row.said_in = None if row.said_in in gone else row.said_in
        row.updated_at = timezone.now()
    UserFact.objects.bulk_update(rows, ["evidence", "evidence_span", "stated_in", "said_in", "updated_at"])
    return len(rows)


def _erase(facts: QuerySet[UserFact], reason: EndReason) -> list[int]:
    """The facts that lost key and value; versions that go together still belong together, under a hash of nothing."""
    now = timezone.now()
    living = facts.exclude(value_sealed=b"").select_for_update(no_key=True).order_by("pk")
    rows = list(living.values_list("pk", "tenant_id", "end_user_id", "type", "key_index"))
    ids = [pk for pk, *_ in rows]
    UserFact.objects.filter(pk__in=ids).update(
        is_active=False,
        is_disputed=False,
        ended_reason=reason,
        valid_to=Case(
            When(Q(valid_to__isnull=True), then=Greatest(Value(now), F("valid_from"))), default=F("valid_to")
        ),
        key_index=Func(
            Value(secrets.token_bytes(32)), F("key_index"), template="sha256(%(expressions)s)", arg_joiner=" || "
        ),
        key_sealed=b"",
        value_sealed=b"",
        updated_at=now,
    )
    keys = [(tenant_id, user_id, type_, bytes(index)) for _, tenant_id, user_id, type_, index in rows]
    bury_keys(keys, now=now, is_deleted=reason != EndReason.FORGOTTEN)
    return ids
