"""Lists of change requests: who waits for whom."""

from __future__ import annotations

from datetime import date

from django.db.models import Count, F, Q, QuerySet

from reviews.core.actor import Actor
from reviews.core.permissions import may
from reviews.models import ChangeRequest, ChangeState
from reviews.models.changes import EDITABLE_STATES

OPEN_STATES = (*EDITABLE_STATES, ChangeState.IN_REVIEW, ChangeState.APPROVED, ChangeState.STAGED)


def list_change_requests(actor: Actor) -> QuerySet[ChangeRequest]:
    """The change requests that the actor may see, newest first, with people, domain and `item_count`."""
    requests = ChangeRequest.objects.select_related(
        "domain_index__world", "author", "author_key", "reviewer", "approved_by", "release"
    ).annotate(item_count=Count("items"))
    if actor.tenant_id is not None:
        requests = requests.filter(tenant_id=actor.tenant_id)
    if actor.world_id is not None:
        requests = requests.filter(domain_index__world_id=actor.world_id)
    return requests.order_by("-pk")


def list_by_author(actor: Actor) -> QuerySet[ChangeRequest]:
    """What the actor wrote, and what keys that the actor issued wrote."""
    return list_change_requests(actor).filter(_written_by(actor))


def list_waiting_for(actor: Actor) -> QuerySet[ChangeRequest]:
    """What the actor should do something about, what is due first at the top.

    For an author: requests that need changes. For a reviewer: requests of others in review that nobody else has
    claimed, and approved ones that wait to be staged.
    """
    wanted = _written_by(actor) & Q(state=ChangeState.NEEDS_CHANGES)
    if may(actor, "approve"):
        unclaimed = Q(reviewer__isnull=True) | Q(reviewer_id=actor.user_id)
        wanted |= ~_written_by(actor) & unclaimed & Q(state=ChangeState.IN_REVIEW)
        wanted |= Q(state=ChangeState.APPROVED)
    return list_change_requests(actor).filter(wanted).order_by(F("due_on").asc(nulls_last=True), "-pk")


def list_due(actor: Actor, *, until: date) -> QuerySet[ChangeRequest]:
    """Requests that are not finished and due by a day, the longest overdue first."""
    return list_change_requests(actor).filter(due_on__lte=until, state__in=OPEN_STATES).order_by("due_on", "pk")


def list_open_on_document(actor: Actor, document_id: int) -> QuerySet[ChangeRequest]:
    """Requests that are not finished and would change the document."""
    return list_change_requests(actor).filter(
        pk__in=ChangeRequest.objects.filter(items__document_id=document_id, state__in=OPEN_STATES).values("pk")
    )


def _written_by(actor: Actor) -> Q:
    """A condition without NULLs in it, so that it can be negated."""
    if actor.key_id is not None:
        return Q(author_key_id=actor.key_id, author_key__isnull=False)
    if actor.user_id is None:
        return Q(pk__in=())
    return Q(author_id=actor.user_id, author__isnull=False) | Q(
        author_key__created_by_id=actor.user_id, author_key__created_by__isnull=False
    )
