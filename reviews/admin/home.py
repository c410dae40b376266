"""Home: what waits for this person, what is live, and what needs a look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from factcheck.extraction.admin.home import list_extraction
from knowledge.canon.actions import retry_failed_embeddings
from knowledge.canon.actions.task_queue import queue_embedding
from knowledge.canon.models import DomainIndex, GateState, LorePassage, Release, ReleaseState
from knowledge.canon.models.releases import GATE_OPEN
from knowledge.search.models import EmbeddingState
from knowledge.search.zero_hits import ZeroHitQuery, forget_zero_hit, list_zero_hits
from reviews.admin.common import get_actor, get_domain_index_or_404, list_domain_indexes
from reviews.core import permissions
from reviews.golden.selectors import list_waiting_changes
from reviews.models import ChangeRequest, ChangeState, GoldenChange
from reviews.quality.admin.page import list_paused
from reviews.releases.selectors.boards import list_cards
from tenancy.admin.access import can_access_all_tenants, filter_by_tenants, list_tenant_ids, may_label, may_see_canon
from tenancy.models import Role

SHOWN = 8
TO_FINISH = (ChangeState.DRAFT, ChangeState.NEEDS_CHANGES, ChangeState.ROLLED_BACK)
"""States in which a request waits for its author."""
WITH_OTHERS = (ChangeState.IN_REVIEW, ChangeState.APPROVED, ChangeState.STAGED)


@dataclass(frozen=True, slots=True)
class ZeroHits:
    """The queries of one domain that found nothing."""

    index: Any
    queries: list[ZeroHitQuery]


@dataclass(frozen=True, slots=True)
class FailedEmbeddings:
    """How many passages of one domain could not be embedded."""

    index: DomainIndex
    count: int


def build_home(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The context of the admin site's first page (unfold's dashboard callback)."""
    user = request.user
    indexes = list(list_domain_indexes(user))
    ids = [index.pk for index in indexes]
    claimable = list_reviews_for(user)
    mine = ChangeRequest.objects.filter(author_id=user.pk).select_related("domain_index__world").order_by("-updated_at")
    stages = Release.objects.filter(domain_index__in=ids).select_related("domain_index__world")
    cards = list_cards(indexes)
    return context | {
        "title": "Home",
        "is_member": may_see_canon(request),
        "may_label": may_label(request),
        "is_reviewer": can_access_all_tenants(user) or bool(list_tenant_ids(user, Role.REVIEWER)),
        "reviews_waiting": claimable[:SHOWN],
        "reviews_waiting_count": claimable.count(),
        "to_finish": mine.filter(state__in=TO_FINISH)[:SHOWN],
        "with_others": mine.filter(state__in=WITH_OTHERS)[:SHOWN],
        "golden_waiting": list_golden_changes_for(user, indexes),
        "blocked": stages.filter(state=ReleaseState.STAGED, gate_state=GateState.FAILED),
        "ready": stages.filter(state=ReleaseState.STAGED, gate_state__in=GATE_OPEN),
        "failed_builds": stages.filter(state=ReleaseState.FAILED),
        "failed_embeddings": _count_failed_embeddings(indexes),
        "cards": cards,
        "paused": list_paused(user),
        "extraction": list_extraction(user),
        "zero_hits": [
            ZeroHits(index, queries) for index in indexes if (queries := list_zero_hits(index.pk, limit=SHOWN))
        ],
    }


def list_reviews_for(user: Any) -> QuerySet[ChangeRequest]:
    """Requests in review that the person may judge: free or claimed by them, and not written by them."""
    rows: QuerySet[ChangeRequest] = filter_by_tenants(
        ChangeRequest.objects.filter(state=ChangeState.IN_REVIEW), user, role=Role.REVIEWER
    ).select_related("domain_index__world", "author", "author_key", "reviewer")
    rows = rows.filter(Q(author_id__isnull=True) | ~Q(author_id=user.pk)).filter(
        Q(author_key__isnull=True) | Q(author_key__created_by_id__isnull=True) | ~Q(author_key__created_by_id=user.pk)
    )
    return rows.filter(Q(reviewer__isnull=True) | Q(reviewer_id=user.pk)).order_by("due_on", "submitted_at", "id")


def list_golden_changes_for(user: Any, indexes: list[DomainIndex]) -> list[GoldenChange]:
    """Changes of golden queries that the person may agree to: not their own."""
    ids = [index.pk for index in indexes]
    if not can_access_all_tenants(user):
        reviewed = set(list_tenant_ids(user, Role.REVIEWER))
        ids = [index.pk for index in indexes if index.tenant_id in reviewed]
    return [change for change in list_waiting_changes(ids) if change.author_id != user.pk][:SHOWN] if ids else []


def count_waiting_badge(request: HttpRequest) -> str:
    """The number beside "Change requests" in the navigation; empty when nothing waits."""
    count = list_reviews_for(request.user).count()
    return str(count) if count else ""


@require_POST
def forget_zero_hit_view(request: HttpRequest, index_id: int) -> HttpResponse:
    """Takes a query off the list, once canon answers it or nobody minds."""
    index = get_domain_index_or_404(request.user, index_id)
    forget_zero_hit(index.pk, request.POST.get("query", ""))
    messages.success(request, "Off the list. It comes back if it finds nothing again.")
    return HttpResponseRedirect(reverse("admin:index"))


@require_POST
def retry_embeddings_view(request: HttpRequest, index_id: int) -> HttpResponse:
    """Lets passages that could not be embedded try once more, after the cause is mended."""
    index = get_domain_index_or_404(request.user, index_id)
    permissions.require(get_actor(request, index.tenant_id), "stage")
    count = retry_failed_embeddings(index.pk)
    queue_embedding(index.tenant_id)
    messages.success(request, f"{count} passages of {index} wait for the embedder again.")
    return HttpResponseRedirect(reverse("admin:index"))


def _count_failed_embeddings(indexes: list[DomainIndex]) -> list[FailedEmbeddings]:
    counts = dict(
        LorePassage.objects.filter(domain_index__in=indexes, embedding_state=EmbeddingState.FAILED)
        .values_list("domain_index_id")
        .annotate(count=Count("id"))
    )
    return [FailedEmbeddings(index, counts[index.pk]) for index in indexes if index.pk in counts]
