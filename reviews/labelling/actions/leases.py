"""Drawing the next item, and keeping it while it is on the screen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils import timezone

from factcheck.extraction.actions.sample_labels import lock_sample
from factcheck.extraction.models import ExtractionSample
from memoryproject.prepared import prepared_cursor
from reviews.errors import UnknownSample
from reviews.labelling.actions.gold_schedule import choose_gold, is_gold_due
from reviews.labelling.models import SampleLease, SampleSkip
from reviews.labelling.selectors.queue import Head, ReviewerState, get_reviewer_state, list_heads
from reviews.labelling.sql import load_query

LEASE_MINUTES = 15
"""Longer than anybody reads; a page that is open renews it."""
MAX_LOOK = 500
"""Samples that want a second label and are looked at: a lone reviewer may have labelled all of them."""
ALL = 2_147_483_647
MAX_TRIES = 20
"""Of drawing where others draw at the same moment; 16 reviewers need two."""
LEASE_COLUMNS = ("id", "tenant_id", "sample_id", "gold_id", "reviewer_id", "taken_at", "heartbeat_at", "expires_at")
HELD, LOST, GONE = "held", "lost", "gone"


def draw_item(
    *,
    tenant_id: int,
    reviewer_id: int,
    beside: int | None = None,
    languages: Collection[str] = (),
    is_risk: bool = False,
) -> SampleLease | None:
    """The item that the reviewer has open, else the next one, now theirs; None where nothing is left for them.

    `beside` is a lease that is on the screen already: another one is drawn, for a page that is fetched ahead. Trials of
    a breaker come first, then the strata whose oldest item waits longest; doubtful items are a queue of their own. One
    in 10 to 16 is gold.
    """
    with transaction.atomic():
        state = get_reviewer_state(tenant_id, reviewer_id, beside=beside)
        lease = _keep_own(state)
        if lease is None and not is_risk and is_gold_due(state):
            lease = _take_gold(tenant_id, reviewer_id, languages)
        if lease is None:
            lease = _take_sample(tenant_id, reviewer_id, languages, is_risk=is_risk)
        return lease


def keep_lease(*, tenant_id: int, reviewer_id: int, lease_id: int, is_shown: bool = False) -> str:
    """`held`: the item stays the reviewer's, for 15 more minutes. `lost`: others have it by now. `gone`: its words are
    forgotten. `is_shown`: it has come to the screen just now.
    """
    with transaction.atomic():
        lease = find_lease(tenant_id=tenant_id, reviewer_id=reviewer_id, lease_id=lease_id)
        if lease is None:
            return LOST
        if lease.sample_id is not None:
            sample = lock_sample(tenant_id=tenant_id, sample_id=lease.sample_id)
            if sample.is_gone:
                return GONE
            # While the lock was waited for, it may have run out and others have taken the place.
            lease = find_lease(tenant_id=tenant_id, reviewer_id=reviewer_id, lease_id=lease_id)
            if lease is None or not has_place(sample, lease):
                return LOST
        now = timezone.now()
        times = {"heartbeat_at": now, "expires_at": now + dt.timedelta(minutes=LEASE_MINUTES)}
        if is_shown:
            times["taken_at"] = now
        return HELD if SampleLease.objects.filter(pk=lease.pk).update(**times) else LOST


def skip_item(*, tenant_id: int, reviewer_id: int, lease_id: int) -> None:
    """The item never comes back to the reviewer. Others still get it. Raises UnknownSample."""
    with transaction.atomic():
        lease = find_lease(tenant_id=tenant_id, reviewer_id=reviewer_id, lease_id=lease_id)
        if lease is None:
            raise UnknownSample("This item is not open with you.")
        item: dict[str, Any] = {"sample_id": lease.sample_id, "gold_id": lease.gold_id}
        SampleSkip.objects.get_or_create(tenant_id=tenant_id, reviewer_id=reviewer_id, **item)
        lease.delete()


def find_lease(*, tenant_id: int, reviewer_id: int, lease_id: int) -> SampleLease | None:
    """The reviewer's lease, whether it still holds or not."""
    return SampleLease.objects.filter(tenant_id=tenant_id, reviewer_id=reviewer_id, pk=lease_id).first()


def has_place(sample: ExtractionSample, lease: SampleLease) -> bool:
    """Whether the sample still wants this reviewer's label: their lease holds, or nobody took its place meanwhile.

    Call it under `lock_sample`.
    """
    if sample.label_count >= sample.labels_wanted:
        return False
    now = timezone.now()
    if lease.expires_at > now:
        return True
    others = SampleLease.objects.filter(sample=sample, expires_at__gt=now).exclude(reviewer_id=lease.reviewer_id)
    return sample.label_count + others.count() < sample.labels_wanted


def give_lease(
    *, tenant_id: int, reviewer_id: int, sample_id: int | None = None, gold_id: int | None = None
) -> SampleLease:
    """A lease of 15 minutes on an item of which the caller knows that it is free."""
    now = timezone.now()
    item: dict[str, Any] = {"sample_id": sample_id, "gold_id": gold_id}
    lease, _ = SampleLease.objects.update_or_create(
        tenant_id=tenant_id,
        reviewer_id=reviewer_id,
        **item,
        defaults={"taken_at": now, "heartbeat_at": now, "expires_at": now + dt.timedelta(minutes=LEASE_MINUTES)},
    )
    return lease


def _keep_own(state: ReviewerState) -> SampleLease | None:
    """What the reviewer has open already, for 15 minutes more."""
    for lease_id in state.open_ids:
        ends = timezone.now() + dt.timedelta(minutes=LEASE_MINUTES)
        if SampleLease.objects.filter(pk=lease_id).update(expires_at=ends):
            return SampleLease.objects.get(pk=lease_id)
    return None


def _take_gold(tenant_id: int, reviewer_id: int, languages: Collection[str]) -> SampleLease | None:
    gold_id = choose_gold(tenant_id=tenant_id, reviewer_id=reviewer_id, languages=languages)
    if gold_id is None:
        return None
    return give_lease(tenant_id=tenant_id, reviewer_id=reviewer_id, gold_id=gold_id)


def _take_sample(tenant_id: int, reviewer_id: int, languages: Collection[str], *, is_risk: bool) -> SampleLease | None:
    for head in list_heads(tenant_id, languages, is_risk=is_risk):
        for _ in range(MAX_TRIES):
            sample_id = _lock_next(tenant_id, reviewer_id, head)
            if sample_id is None:
                break
            lease = _take_lease(sample_id, reviewer_id)
            if lease is not None:
                return lease
    return None


def _lock_next(tenant_id: int, reviewer_id: int, head: Head) -> int | None:
    parameters: dict[str, str | int] = {
        "tenant": tenant_id,
        "reason": head.reason,
        "language": head.language,
        "label_count": head.label_count,
        "bound": MAX_LOOK if head.label_count else ALL,
        "reviewer": reviewer_id,
    }
    with prepared_cursor() as cursor:
        cursor.execute(load_query("lock_next"), parameters)
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def _take_lease(sample_id: int, reviewer_id: int) -> SampleLease | None:
    parameters = {"sample": sample_id, "reviewer": reviewer_id, "minutes": LEASE_MINUTES}
    with prepared_cursor() as cursor:
        cursor.execute(load_query("take_lease"), parameters)
        row = cursor.fetchone()
    return None if row is None else SampleLease.from_db("default", list(LEASE_COLUMNS), row)
