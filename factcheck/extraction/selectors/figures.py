"""Figures of all tenants for Prometheus: shares of a day and of a week, each with its n."""

from __future__ import annotations

import datetime as dt

from django.db.models import Count, Q
from django.utils import timezone

from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import CandidateState, ExtractionDelta, FactCandidate
from factcheck.extraction.selectors.breakers import DENIAL_DAYS, count_denials
from tenancy.models import Extraction, Tenant

Shares = list[tuple[str, float, int]]
"""Tenant, share, n."""


def list_rejection_shares() -> Shares:
    """What the gate refused of the last day's proposals, by tenant."""
    since = timezone.now() - dt.timedelta(days=1)
    rows = (
        ExtractionDelta.objects.filter(created_at__gte=since, tenant_id__in=_list_reading_tenants())
        .order_by()
        .values_list("tenant__slug")
        .annotate(n=Count("*"), passed=Count("pk", filter=Q(verdict=VerdictCode.ACCEPTED.value)))
    )
    return [(slug, 1 - passed / n, n) for slug, n, passed in rows]


def list_denied_shares() -> Shares:
    """What players denied of the last week's batch facts, by tenant that writes any. One query a tenant."""
    since = timezone.now() - dt.timedelta(days=DENIAL_DAYS)
    found = []
    for tenant in Tenant.objects.filter(extraction=Extraction.ON):
        counts = count_denials(tenant.pk, since=since)
        if counts.facts:
            found.append((tenant.slug, counts.denied / counts.facts, counts.facts))
    return found


def find_oldest_candidate_seconds() -> float | None:
    """How long ago the open candidate that waits longest was last said. One row by index."""
    said = FactCandidate.objects.filter(state=CandidateState.OPEN).order_by("last_said_at").values("last_said_at")[:1]
    return max(0.0, (timezone.now() - said[0]["last_said_at"]).total_seconds()) if said else None


def _list_reading_tenants() -> list[int]:
    return list(Tenant.objects.exclude(extraction=Extraction.OFF).values_list("pk", flat=True))
