"""Golden cases: made from a verdict, looked through by reviewers, exported as JSON lines."""

from __future__ import annotations

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryproject.admin.pages import show_page
from reviews.labelling.actions.golden_cases import forget_golden_case, make_golden_case
from reviews.labelling.admin.screen import get_tenant_or_404
from reviews.labelling.selectors.golden_cases import list_cases
from tenancy.models import Role

MAX_SHOWN = 100


@require_POST
def make_case_view(request: HttpRequest, tenant_id: int, label_id: int) -> HttpResponse:
    """The item of a label as a golden case."""
    tenant = get_tenant_or_404(request, tenant_id)
    make_golden_case(tenant_id=tenant.pk, reviewer_id=int(request.user.pk or 0), label_id=label_id)
    messages.success(request, "Kept as a golden case, with numbers, addresses and names of their shape.")
    queue = "&queue=risk" if request.POST.get("queue") == "risk" else ""
    return HttpResponseRedirect(f"{reverse('admin:labelling', args=[tenant.pk])}?last={label_id}{queue}")


@require_GET
def cases_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """The newest cases, for reviewers."""
    tenant = get_tenant_or_404(request, tenant_id, role=Role.REVIEWER)
    cases = list(list_cases(tenant.pk).order_by("-pk")[:MAX_SHOWN])
    return show_page(request, "labelling_cases.html", "Golden cases", tenant=tenant, cases=cases)


@require_GET
def export_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """All cases that are not forgotten, one a line."""
    tenant = get_tenant_or_404(request, tenant_id, role=Role.REVIEWER)
    lines = [json.dumps(case.line, ensure_ascii=False) + "\n" for case in list_cases(tenant.pk)]
    response = HttpResponse("".join(lines), content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="golden-cases-{tenant.slug}.jsonl"'
    return response


@require_POST
def forget_case_view(request: HttpRequest, tenant_id: int, case_id: int) -> HttpResponse:
    """A case that should not be kept loses its line."""
    tenant = get_tenant_or_404(request, tenant_id, role=Role.REVIEWER)
    forget_golden_case(tenant_id=tenant.pk, case_id=case_id)
    messages.success(request, "The case is forgotten.")
    return HttpResponseRedirect(reverse("admin:labelling_cases", args=[tenant.pk]))
