"""What of the second stage needs a look, for the home page. Breakers have a banner of their own."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Min, OuterRef, Subquery
from django.utils import timezone

from episodes.models import Conversation, Message, MessageRole
from factcheck.extraction.admin.runs import describe_time
from factcheck.extraction.models import ExtractionRun, RunState
from tenancy.admin.access import filter_by_tenants
from tenancy.models import Extraction, Role, Tenant

LATE = dt.timedelta(hours=4)
"""Twice the time after which a run is due: what waits longer is told of in orange."""
FAILED_DAYS = dt.timedelta(days=7)
"""Failures before that are history: the list of runs has them."""
MAX_FAILED = 1000
"""More are counted as so many."""


@dataclass(frozen=True, slots=True)
class TenantExtraction:
    """How the second stage of one tenant does."""

    tenant: Tenant
    failed: int
    """Players of whom a run failed in the last week, and none began since."""
    waits: str
    """How long the oldest waiting message waits; empty where none does."""
    is_late: bool


def list_extraction(user: Any) -> list[TenantExtraction]:
    """The tenants where it is not off and of which the person may see players. Two queries for each."""
    tenants = filter_by_tenants(
        Tenant.objects.exclude(extraction=Extraction.OFF), user, lookup="id", role=Role.REVIEWER
    )
    return [_describe(tenant) for tenant in tenants.order_by("name", "pk")]


def count_failed(tenant_id: int) -> int:
    """How many players wait after a run that failed. One query by index."""
    newer = ExtractionRun.objects.filter(
        tenant_id=tenant_id, end_user_id=OuterRef("end_user_id"), pk__gt=OuterRef("pk")
    )
    failed = ExtractionRun.objects.filter(
        tenant_id=tenant_id, state=RunState.FAILED, created_at__gt=timezone.now() - FAILED_DAYS
    )
    return failed.exclude(Exists(newer)).order_by("-pk")[:MAX_FAILED].count()


def find_oldest_waiting(tenant_id: int) -> dt.datetime | None:
    """When the player's message came that waits longest. One query."""
    own = Message.objects.living().filter(role=MessageRole.USER)
    first = own.filter(conversation=OuterRef("pk"), seq__gt=OuterRef("extracted_to")).order_by("seq")
    waiting = Conversation.objects.filter(tenant_id=tenant_id, pending_extraction_count__gt=0)
    oldest = waiting.annotate(came=Subquery(first.values("created_at")[:1])).aggregate(oldest=Min("came"))["oldest"]
    found: dt.datetime | None = oldest
    return found


def _describe(tenant: Tenant) -> TenantExtraction:
    since = find_oldest_waiting(tenant.pk)
    failed = count_failed(tenant.pk)
    if since is None:
        return TenantExtraction(tenant, failed, waits="", is_late=False)
    span = timezone.now() - since
    return TenantExtraction(tenant, failed, waits=describe_time(span), is_late=span > LATE)
