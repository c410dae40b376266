"""Facts end: by the clock, by order, or because what they rest on is forgotten."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Greatest
from django.utils import timezone

from knowledge.facts.actions.locks import lock_end_user, lock_fact
from knowledge.facts.models import EndReason, FactSource, UserFact

EXPIRED_AT_A_TIME = 1000


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
                .values_list("pk", flat=True)[:EXPIRED_AT_A_TIME]
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


def delete_fact(*, tenant_id: int, end_user_id: int, fact_id: int) -> int:
    """How many versions of the fact lost key and value: all that there ever were. It can't be undone.

    Locks user and fact. Raises UnknownFact.
    """
    with transaction.atomic():
        fact = lock_fact(tenant_id=tenant_id, end_user_id=end_user_id, fact_id=fact_id)
        versions = UserFact.objects.filter(
            tenant_id=tenant_id, end_user_id=end_user_id, type=fact.type, key_index=fact.key_index
        )
        return _erase(versions.exclude(value_sealed=b""), EndReason.DELETED)


def forget_facts(*, tenant_id: int, end_user_id: int, message_ids: Iterable[int]) -> int:
    """How many facts lost key and value because they rest on these messages; onboarding facts survive.

    Locks the user. Source: seed 002, fix 15.
    """
    with transaction.atomic():
        lock_end_user(tenant_id=tenant_id, end_user_id=end_user_id)
        resting = UserFact.objects.filter(
            tenant_id=tenant_id, end_user_id=end_user_id, evidence__overlap=list(message_ids)
        )
        return _erase(resting.exclude(value_sealed=b"").exclude(source=FactSource.ONBOARDING), EndReason.FORGOTTEN)


def _erase(facts: QuerySet[UserFact], reason: EndReason) -> int:
    now = timezone.now()
    return facts.update(
        is_active=False,
        is_disputed=False,
        ended_reason=reason,
        valid_to=Case(
            When(Q(valid_to__isnull=True), then=Greatest(Value(now), F("valid_from"))), default=F("valid_to")
        ),
        key_sealed=b"",
        value_sealed=b"",
        updated_at=now,
    )
