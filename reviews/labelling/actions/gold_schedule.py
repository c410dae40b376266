"""When a reviewer meets a gold item, and which."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection

from django.db.models import Count, Min, Q
from django.utils import timezone

from reviews.labelling.core.gold_items import (
    FRESH_DAYS,
    MAX_EXPOSURES,
    REST_DAYS,
    GoldScore,
    choose_gap,
    score_gold,
)
from reviews.labelling.models import GoldItem, SampleLabel, SampleSkip
from reviews.labelling.selectors.queue import ReviewerState

SCORE_DAYS = 90
MAX_SCORED = 200


def is_gold_due(state: ReviewerState) -> bool:
    """Whether the next item is gold: so many labels have come, or are open, since the last one."""
    if state.holds_gold:
        return False
    seed = f"{state.tenant_id}:{state.reviewer_id}:{state.last_gold_at}"
    return state.since_gold + state.held >= choose_gap(seed)


def choose_gold(*, tenant_id: int, reviewer_id: int, languages: Collection[str] = ()) -> int | None:
    """A gold item that is fresh to the reviewer, of the sort (planted or right) that they met less often; else None."""
    now = timezone.now()
    met = Q(labels__reviewer_id=reviewer_id, labels__created_at__gt=now - dt.timedelta(days=REST_DAYS))
    skipped = SampleSkip.objects.filter(tenant_id=tenant_id, reviewer_id=reviewer_id, gold__isnull=False)
    items = GoldItem.objects.filter(is_retired=False).exclude(pk__in=skipped.values("gold_id"))
    if languages:
        items = items.filter(language__in=languages)
    rows = list(items.annotate(times=Count("labels", filter=met), first=Min("labels__created_at", filter=met)))
    balance = {planted: sum(row.times for row in rows if row.is_planted == planted) for planted in (True, False)}
    fresh_since = now - dt.timedelta(days=FRESH_DAYS)
    fresh = [row for row in rows if row.times < MAX_EXPOSURES and (row.first is None or row.first > fresh_since)]
    if not fresh:
        return None
    salt = f"{tenant_id}:{reviewer_id}:{sum(balance.values())}"
    chosen = min(
        fresh,
        key=lambda row: (row.times, balance[row.is_planted], hashlib.sha256(f"{salt}:{row.slug}".encode()).digest()),
    )
    return int(chosen.pk)


def get_gold_score(reviewer_id: int) -> GoldScore:
    """How a reviewer did on gold of the last 90 days, in all tenants. One query."""
    since = timezone.now() - dt.timedelta(days=SCORE_DAYS)
    judged = SampleLabel.objects.filter(
        reviewer_id=reviewer_id, gold__isnull=False, undone_at__isnull=True, created_at__gt=since
    ).order_by("-id")
    return score_gold(judged.values_list("gold__is_planted", "verdict")[:MAX_SCORED])
