"""Change requests as a machine's key may see them."""

from __future__ import annotations

from django.db.models import Count, QuerySet

from reviews.errors import UnknownChangeRequest
from reviews.models import ChangeRequest


def list_change_requests_of_world(
    *, world_id: int, domain: str | None = None, state: str | None = None, before: int | None = None
) -> QuerySet[ChangeRequest]:
    """The world's change requests, newest first, each with its `item_count`; `before` is the id to go on below."""
    requests = (
        ChangeRequest.objects.filter(domain_index__world_id=world_id)
        .select_related("domain_index", "author", "author_key", "release")
        .annotate(item_count=Count("items", distinct=True) + Count("npc_items", distinct=True))
        .order_by("-id")
    )
    if domain is not None:
        requests = requests.filter(domain_index__domain=domain)
    if state is not None:
        requests = requests.filter(state=state)
    return requests if before is None else requests.filter(pk__lt=before)


def get_change_request_of_world(*, world_id: int, change_request_id: int) -> ChangeRequest:
    """The change request with its items and comments. Four queries. Raises UnknownChangeRequest."""
    request = (
        list_change_requests_of_world(world_id=world_id)
        .prefetch_related("items__base_revision", "npc_items", "comments__author")
        .filter(pk=change_request_id)
        .first()
    )
    if request is None:
        raise UnknownChangeRequest(f"There is no change request {change_request_id}.")
    return request
