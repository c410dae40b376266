"""The figures of the quality page as data."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.utils import timezone

from factcheck.extraction.core.statistics import Rate
from factcheck.extraction.models import BreakerEvent, ConfidenceBucket, ExtractionRun
from factcheck.extraction.selectors.breakers import is_paused, list_breakers
from factcheck.extraction.selectors.buckets import list_muted_buckets
from reviews.quality.core.tables import Cell
from reviews.quality.selectors.errors import LanguageParity, compare_with_english, estimate_rates
from reviews.quality.selectors.flow import build_funnel
from reviews.quality.selectors.labels import list_labelled, measure_reviewers
from tenancy.models import Tenant


@dataclass(frozen=True, slots=True)
class QualitySummary:
    """Error rates by language, state of breakers, counts, parity. `counts` have the columns of the funnel."""

    extraction: str
    is_paused: bool
    error_rates: dict[str, Rate]
    breakers: list[BreakerEvent]
    counts: list[dict[str, Cell]]
    parity: list[LanguageParity]
    muted: list[ConfidenceBucket]
    held_runs: int


def summarise_quality(tenant_id: int, *, days: int) -> QualitySummary:
    """The figures of a tenant's last days. About ten queries, whatever there is."""
    since = timezone.now() - dt.timedelta(days=days)
    items = list_labelled(tenant_id, since)
    funnel, _ = build_funnel(tenant_id, since)
    names = [column.key for column in funnel.columns]
    return QualitySummary(
        extraction=Tenant.objects.values_list("extraction", flat=True).get(pk=tenant_id),
        is_paused=is_paused(tenant_id),
        error_rates=estimate_rates(items, measure_reviewers(tenant_id, since)),
        breakers=list_breakers(tenant_id),
        counts=[dict(zip(names, row, strict=True)) for row in funnel.rows],
        parity=compare_with_english(items),
        muted=list_muted_buckets(tenant_id),
        held_runs=ExtractionRun.objects.filter(tenant_id=tenant_id, held_for__isnull=False).count(),
    )
