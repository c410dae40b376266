"""What our pages share: the rows a person may see, and links between articles."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from knowledge.canon.models import DomainIndex, Publication
from knowledge.canon.selectors.audience import live_in
from memoryproject.admin.markdown import LinkMaker
from reviews.core.actor import Actor
from reviews.core.permissions import may
from reviews.releases.selectors.live import find_latest_release
from reviews.selectors.actors import actor_of_user
from tenancy.admin.access import filter_by_tenants, get_or_404


def list_domain_indexes(user: Any) -> QuerySet[DomainIndex]:
    """The domains of the person's worlds."""
    rows: QuerySet[DomainIndex] = filter_by_tenants(DomainIndex.objects.select_related("world", "tenant"), user)
    return rows.order_by("world__name", "domain")


def get_domain_index_or_404(user: Any, index_id: int) -> DomainIndex:
    """The domain, if it is one of the person's worlds."""
    index: DomainIndex = get_or_404(DomainIndex.objects.select_related("world", "tenant"), user, pk=index_id)
    return index


def get_actor(request: HttpRequest, tenant_id: int) -> Actor:
    """The signed-in person as an actor in that tenant."""
    return actor_of_user(request.user, tenant_id)


def list_allowed(actor: Actor, verbs: Iterable[str]) -> dict[str, bool]:
    """Which of the verbs the actor's role allows."""
    return {verb: may(actor, verb) for verb in verbs}


def find_documents_by_slug(index_id: int, slugs: Collection[str], number: int | None = None) -> dict[str, int]:
    """Slug to document id, for those live in that release, else in `latest`."""
    if number is None:
        latest = find_latest_release(index_id)
        number = latest.number if latest else 0
    rows = Publication.objects.filter(live_in(number), domain_index_id=index_id, slug__in=slugs)
    return dict(rows.values_list("slug", "document_id"))


def make_linker(documents: dict[str, int]) -> LinkMaker:
    """Turns slugs of known documents into addresses of their pages."""

    def link(slug: str) -> str | None:
        document_id = documents.get(slug)
        return reverse("admin:document", args=[document_id]) if document_id else None

    return link
