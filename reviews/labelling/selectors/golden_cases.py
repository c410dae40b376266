"""Golden cases that may be read."""

from __future__ import annotations

from django.db.models import QuerySet

from reviews.labelling.models import GoldenCase


def list_cases(tenant_id: int) -> QuerySet[GoldenCase]:
    """The tenant's cases, oldest first: not forgotten, and of labels that stand."""
    return GoldenCase.objects.filter(
        tenant_id=tenant_id, forgotten_at__isnull=True, label__undone_at__isnull=True
    ).order_by("pk")
