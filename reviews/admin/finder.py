"""What the search field of the navigation finds: documents by title, slug or alias, and change requests by title."""

from __future__ import annotations

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from unfold.dataclasses import SearchResult

from knowledge.canon.selectors.latest import list_live_publications
from reviews.models import ChangeRequest
from tenancy.admin.access import filter_by_tenants

MAX_HITS_PER_KIND = 15


def find_pages(request: HttpRequest, term: str) -> list[SearchResult]:
    """Pages of the person's own tenants whose names hold the term."""
    documents = (
        filter_by_tenants(list_live_publications(), request.user)
        .filter(Q(title__icontains=term) | Q(slug__icontains=term) | Q(revision__aliases__icontains=term))
        .select_related("domain_index__world")
        .order_by("title")[:MAX_HITS_PER_KIND]
    )
    wanted = Q(title__icontains=term)
    if term.removeprefix("#").isdecimal():
        wanted |= Q(pk=int(term.removeprefix("#")[:18]))
    requests = filter_by_tenants(ChangeRequest.objects.filter(wanted), request.user)[:MAX_HITS_PER_KIND]
    return [
        *(
            SearchResult(
                title=row.title,
                description=f"{row.domain_index} · {row.slug}",
                link=reverse("admin:document", args=[row.document_id]),
                icon="auto_stories",
            )
            for row in documents
        ),
        *(
            SearchResult(
                title=str(row),
                description=f"Change request · {row.get_state_display()}",
                link=reverse("admin:change_request", args=[row.pk]),
                icon="rate_review",
            )
            for row in requests
        ),
    ]
