"""Counts of labels and of open samples of all tenants, made by the database."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, F, FloatField, Min, Q, Sum
from django.db.models.expressions import ExpressionWrapper

from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.models import ExtractionSample, SampleKind
from reviews.labelling.core.verdicts import ERRORS
from reviews.labelling.models import SampleLabel
from reviews.quality.selectors.labels import ESTIMATED
from tenancy.models import Extraction, Tenant


@dataclass(frozen=True, slots=True)
class ReviewRate:
    """Reviews of a language; `rate` weighs each by the inverse of its odds."""

    tenant: str
    language: str
    n: int
    errors: int
    rate: float


def list_review_rates(since: dt.datetime) -> list[ReviewRate]:
    """Reviews since a time of what passed the gate, by tenant and language. Both labels of an item count."""
    weight = ExpressionWrapper(F("weight") / F("sample__probability"), output_field=FloatField())
    is_error = Q(verdict__in=[each.value for each in ERRORS])
    rows = (
        SampleLabel.objects.filter(
            tenant_id__in=_list_reading_tenants(),
            created_at__gte=since,
            undone_at__isnull=True,
            is_late=False,
            sample__kind=SampleKind.DELTA,
            sample__reason__in=ESTIMATED,
            sample__delta__verdict=VerdictCode.ACCEPTED.value,
        )
        .order_by()
        .values_list("tenant__slug", "sample__language")
        .annotate(
            n=Count("pk"), errors=Count("pk", filter=is_error), wrong=Sum(weight, filter=is_error), whole=Sum(weight)
        )
    )
    return [
        ReviewRate(tenant, language, n, errors, (wrong or 0.0) / whole)
        for tenant, language, n, errors, wrong, whole in rows
    ]


def count_open_samples() -> list[tuple[str, int, dt.datetime]]:
    """Tenant, how many samples wait for a first label, and since when the first of them does. One query by index."""
    rows = (
        ExtractionSample.objects.filter(
            tenant_id__in=_list_reading_tenants(),
            is_gone=False,
            label_count=0,
            label_count__lt=F("labels_wanted"),  # Always so; said because the index of open samples says it.
        )
        .order_by()
        .values_list("tenant__slug")
        .annotate(count=Count("pk"), since=Min("created_at"))
    )
    return sorted(rows)


def _list_reading_tenants() -> list[int]:
    return list(Tenant.objects.exclude(extraction=Extraction.OFF).values_list("pk", flat=True))
