"""How much waits to be labelled, and in which languages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F
from django.utils import timezone

from factcheck.extraction.models import ExtractionSample, SampleReason
from memoryproject.prepared import prepared_cursor
from reviews.labelling.core.gold_items import MAX_GAP
from reviews.labelling.models import SampleLabel, SampleLease
from reviews.labelling.sql import load_query
from tenancy.admin.access import filter_by_tenants
from tenancy.models import Role, Tenant

MAX_COUNTED = 1_000
"""More than anybody labels in a day: a page says "1,000 or more" and counts no further."""


@dataclass(frozen=True, slots=True)
class Head:
    """The oldest open sample of a reason and language, with so many labels."""

    reason: str
    language: str
    label_count: int
    sample_id: int


@dataclass(frozen=True, slots=True)
class ReviewerState:
    """What a reviewer has open, and how many labels ago they met a gold item."""

    tenant_id: int
    reviewer_id: int
    open_ids: tuple[int, ...]
    held: int
    holds_gold: bool
    since_gold: int
    last_gold_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits in one tenant: drawn by chance, and doubtful."""

    tenant: Tenant
    waiting: int
    doubtful: int


def list_queues(user: Any) -> list[Queue]:
    """The tenants for which a person labels, by name. Two queries a tenant."""
    tenants = filter_by_tenants(Tenant.objects.order_by("name"), user, lookup="id", role=Role.LABELLER)
    return [Queue(tenant, count_open(tenant.pk), count_open(tenant.pk, is_risk=True)) for tenant in tenants]


def count_open(tenant_id: int, *, is_risk: bool = False) -> int:
    """How many samples want a label; of many, `MAX_COUNTED`."""
    rows = ExtractionSample.objects.filter(
        tenant_id=tenant_id, is_gone=False, label_count__lt=F("labels_wanted"), **_by_reason(is_risk=is_risk)
    )
    counted: int = rows.values("pk")[:MAX_COUNTED].aggregate(count=Count("pk"))["count"]
    return counted


def list_languages(tenant_id: int) -> list[str]:
    """The languages in which something waits. One query."""
    heads = [*list_heads(tenant_id), *list_heads(tenant_id, is_risk=True)]
    return sorted({head.language for head in heads if head.language})


def get_reviewer_state(tenant_id: int, reviewer_id: int, *, beside: int | None = None) -> ReviewerState:
    """Where the reviewer stands. One prepared query over few rows."""
    parameters = {"tenant": tenant_id, "reviewer": reviewer_id, "beside": beside or 0, "window": MAX_GAP + 1}
    with prepared_cursor() as cursor:
        cursor.execute(load_query("reviewer_state"), parameters)
        open_ids, held, holds_gold, since_gold, last_gold_at = cursor.fetchone()
    return ReviewerState(tenant_id, reviewer_id, tuple(open_ids), held, holds_gold, since_gold, last_gold_at)


def list_heads(tenant_id: int, languages: Collection[str] = (), *, is_risk: bool = False) -> list[Head]:
    """Where the queue begins, the most urgent first. One query."""
    with prepared_cursor() as cursor:
        cursor.execute(load_query("queue_heads"), {"tenant": tenant_id})
        heads = [Head(*row) for row in cursor.fetchall()]
    wanted = [
        head
        for head in heads
        if (head.reason == SampleReason.RISK) == is_risk and (not languages or head.language in languages)
    ]
    return sorted(wanted, key=lambda head: (head.reason != SampleReason.TRIAL, head.sample_id))


def count_open_elsewhere(tenant_id: int, reviewer_id: int) -> int:
    """How many items others have open: why nothing may be left although something is open."""
    held = SampleLease.objects.filter(tenant_id=tenant_id, expires_at__gt=timezone.now(), sample__isnull=False)
    return held.exclude(reviewer_id=reviewer_id).count()


def count_labels_of(tenant_id: int, reviewer_id: int) -> int:
    """How many labels of the reviewer stand since midnight UTC."""
    since = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    own = SampleLabel.objects.filter(tenant_id=tenant_id, reviewer_id=reviewer_id, undone_at__isnull=True)
    return own.filter(created_at__gte=since).count()


def _by_reason(*, is_risk: bool) -> dict[str, Any]:
    if is_risk:
        return {"reason": SampleReason.RISK}
    return {"reason__in": [reason for reason in SampleReason.values if reason != SampleReason.RISK]}
