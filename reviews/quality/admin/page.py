"""The quality page: whether the second stage can be trusted, and its switches."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from factcheck.extraction.models import BreakerEvent, BreakerState
from factcheck.extraction.selectors.breakers import list_unclosed_breakers, name_breaker
from memoryproject.admin.flash import flash_outcome
from memoryproject.admin.pages import show_page
from reviews.admin.common import get_actor, list_allowed
from reviews.quality.actions.switches import pause_extraction, resume_extraction
from reviews.quality.admin.sections import DEFAULT_DAYS, PERIODS, build_section, build_sections, read_days
from reviews.quality.core.tables import write_csv
from tenancy.admin.access import filter_by_tenants, get_or_404, may_see_players
from tenancy.models import Role, Tenant

_DONE = {
    BreakerState.HALF_OPEN: "On trial: 50 proposals are reviewed and nothing is written.",
    BreakerState.CLOSED: "Extraction goes on.",
}


def quality_view(request: HttpRequest) -> HttpResponse:
    """The tenants whose figures the person may see; straight to the figures when there is only one."""
    if not may_see_players(request):
        raise PermissionDenied
    tenants = list(_list_tenants(request.user))
    if len(tenants) == 1:
        return HttpResponseRedirect(reverse("admin:quality_of_tenant", args=[tenants[0].pk]))
    return show_page(request, "quality_tenants.html", "Extraction quality", tenants=tenants)


def quality_of_tenant_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """All figures of a tenant over a period."""
    tenant = _get_tenant(request.user, tenant_id)
    days = read_days(request.GET.get("days", ""))
    return show_page(
        request,
        "quality.html",
        f"Extraction quality of {tenant}",
        tenant=tenant,
        days=days,
        periods=PERIODS,
        sections=build_sections(tenant.pk, days),
        breakers=describe_breakers(list_unclosed_breakers([tenant.pk])),
        can=list_allowed(get_actor(request, tenant.pk), ("pause_extraction", "resume_extraction")),
    )


def quality_csv_view(request: HttpRequest, tenant_id: int, key: str) -> HttpResponse:
    """One table as CSV."""
    tenant = _get_tenant(request.user, tenant_id)
    days = read_days(request.GET.get("days", str(DEFAULT_DAYS)))
    section = build_section(tenant.pk, days, key)
    if section is None:
        raise Http404("There is no such table.")
    answer = HttpResponse(write_csv(section.table), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{tenant.slug}-{key}-{days}d.csv"'
    return answer


@require_POST
def pause_extraction_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """Stops extraction, for a reason."""
    tenant = _get_tenant(request.user, tenant_id)

    def perform() -> str:
        actor = get_actor(request, tenant.pk)
        pause_extraction(tenant.pk, actor=actor, reason=request.POST.get("reason", ""))
        return "Extraction is stopped. Messages are kept, and rules still read them."

    flash_outcome(request, perform)
    return HttpResponseRedirect(reverse("admin:quality_of_tenant", args=[tenant.pk]))


@require_POST
def resume_extraction_view(request: HttpRequest, event_id: int) -> HttpResponse:
    """Lets extraction go on after a breaker opened: on trial, or at once."""
    event: BreakerEvent = get_or_404(BreakerEvent.objects, request.user, role=Role.REVIEWER, pk=event_id)
    state = BreakerState.CLOSED if request.POST.get("state") == "closed" else BreakerState.HALF_OPEN

    def perform() -> str:
        actor = get_actor(request, event.tenant_id)
        resume_extraction(event, state=state, actor=actor, reason=request.POST.get("reason", ""))
        return _DONE[state]

    flash_outcome(request, perform)
    return HttpResponseRedirect(reverse("admin:quality_of_tenant", args=[event.tenant_id]))


def list_paused(user: Any) -> list[dict[str, Any]]:
    """Breakers that are not closed, for the banner of the first page: of the tenants whose figures the person sees."""
    return describe_breakers(list_unclosed_breakers(_list_tenants(user).values_list("pk", flat=True)))


def describe_breakers(events: list[BreakerEvent]) -> list[dict[str, Any]]:
    """Breakers with their names and intervals."""
    return [
        {"event": event, "name": name_breaker(event), "interval": f"{event.lower:.1%} to {event.upper:.1%}"}
        for event in events
    ]


def _list_tenants(user: Any) -> Any:
    return filter_by_tenants(Tenant.objects.order_by("name"), user, lookup="pk", role=Role.REVIEWER)


def _get_tenant(user: Any, tenant_id: int) -> Tenant:
    tenant: Tenant = get_or_404(Tenant.objects, user, lookup="pk", role=Role.REVIEWER, pk=tenant_id)
    return tenant
