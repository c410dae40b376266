"""The tenant's switch of extraction: off, shadow or on. Owners only, with a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from factcheck.extraction.actions.switch import has_shadow_runs, switch_extraction
from factcheck.extraction.admin.common import ReasonForm, decide, get_decider
from factcheck.extraction.selectors.status import describe_extraction
from memoryproject.admin.pages import show_page
from tenancy.admin.access import get_or_404
from tenancy.models import Extraction, Role, Tenant


class SwitchForm(ReasonForm):
    """Where the switch is to stand; `seen` is where it stood when the page was opened."""

    extraction = forms.ChoiceField(choices=Extraction.choices, widget=forms.RadioSelect, label="What it may do")
    seen = forms.CharField(widget=forms.HiddenInput)
    typed = forms.CharField(required=False, max_length=63, label="Confirmation")
    field_order = ("extraction", "reason", "typed", "seen")

    def __init__(self, *args: Any, tenant: Tenant, is_tried: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {"extraction": tenant.extraction, "seen": tenant.extraction}
        typed = self.fields["typed"]
        typed.help_text = f"Nothing was tried in shadow yet: to switch it on all the same, type {tenant.slug}."
        typed.widget.attrs["autocomplete"] = "off"
        if is_tried:
            del self.fields["typed"]


def switch_view(request: HttpRequest, tenant_id: int) -> HttpResponse:
    """Where the switch stands, what follows from it, and the form to move it."""
    tenant: Tenant = get_or_404(Tenant.objects.all(), request.user, lookup="id", role=Role.OWNER, pk=tenant_id)
    form = SwitchForm(
        request.POST if request.method == "POST" else None, tenant=tenant, is_tried=has_shadow_runs(tenant_id=tenant.pk)
    )

    def move(reason: str) -> str:
        data = form.cleaned_data
        moved = switch_extraction(
            tenant_id=tenant.pk,
            extraction=data["extraction"],
            seen=data["seen"],
            typed=data.get("typed", ""),
            decider=get_decider(request),
            reason=reason,
        )
        return f"Extraction of {moved} is {moved.extraction}."

    done = decide(request, form, move, done_url=reverse("admin:tenant_extraction", args=[tenant.pk]))
    return done or show_page(
        request,
        "extraction_switch.html",
        f"Extraction of {tenant}",
        tenant=tenant,
        form=form,
        now=describe_extraction(tenant_id=tenant.pk, is_world_bound=False),
    )
