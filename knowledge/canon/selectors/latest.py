"""What is live now: publications of each domain's latest release."""

from __future__ import annotations

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from knowledge.canon.models import Alias, AliasName, Publication


def list_live_publications(queryset: QuerySet[Publication] | None = None) -> QuerySet[Publication]:
    """The publications that `latest` shows, each with `latest_number`."""
    rows = Publication.objects.all() if queryset is None else queryset
    latest = Alias.objects.filter(domain_index_id=OuterRef("domain_index_id"), name=AliasName.LATEST)
    return rows.annotate(latest_number=Subquery(latest.values("release__number")[:1])).filter(
        Q(removed_in__isnull=True) | Q(removed_in__gt=F("latest_number")), added_in__lte=F("latest_number")
    )
