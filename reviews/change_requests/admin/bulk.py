"""Search and replace over the live articles of a domain: looked at first, then proposed as one change request."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from knowledge.canon.models import DomainIndex
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from reviews.admin.common import get_actor, list_domain_indexes
from reviews.change_requests.actions.bulk import create_bulk_replace
from reviews.change_requests.core.replace import FIELDS
from reviews.change_requests.selectors.bulk_replace import BulkPreview, Replacement, preview_bulk_replace
from reviews.core.permissions import require

DOCUMENTS_SHOWN = 100
HITS_SHOWN = 6


class BulkForm(forms.Form):
    """What to look for and what to put there."""

    index = forms.ModelChoiceField(DomainIndex.objects.none(), label="World and domain", empty_label=None)
    search = forms.CharField(
        max_length=1000, strip=False, label="Search for", widget=forms.TextInput(attrs={"dir": "auto"})
    )
    replacement = forms.CharField(
        max_length=10_000,
        strip=False,
        required=False,
        label="Replace by",
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    regex = forms.BooleanField(required=False, label="Regular expression (RE2; \\1 stands for the first group)")
    case_sensitive = forms.BooleanField(required=False, initial=True, label="Upper and lower case differ")
    look_in = forms.MultipleChoiceField(
        choices=[(name, name.capitalize()) for name in FIELDS],
        initial=["body"],
        label="Look in",
        widget=forms.CheckboxSelectMultiple,
    )
    title = forms.CharField(
        max_length=200,
        required=False,
        label="Title of the change request",
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    description = forms.CharField(
        max_length=20_000, required=False, label="Why", widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"})
    )

    def __init__(self, *args: Any, indexes: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["index"].queryset = indexes  # type: ignore[attr-defined]

    def get_replacement(self) -> Replacement:
        """The search and replacement as the selector takes it."""
        data = self.cleaned_data
        return Replacement(
            search=data["search"],
            replacement=data["replacement"],
            regex=data["regex"],
            case_sensitive=data["case_sensitive"],
            fields=tuple(data["look_in"]),
        )


def bulk_edit_view(request: HttpRequest) -> HttpResponse:
    """The form; after "Preview" every hit; after "Create" the draft that holds them all."""
    indexes = list_domain_indexes(request.user)
    if not indexes.exists():
        return show_page(request, "no_domains.html", "Search and replace")
    form = BulkForm(request.POST or None, indexes=indexes, initial={"index": indexes.first()})
    preview: BulkPreview | None = None
    if request.method == "POST" and form.is_valid():
        index = form.cleaned_data["index"]
        actor = get_actor(request, index.tenant_id)
        require(actor, "create")
        try:
            preview = preview_bulk_replace(index.pk, form.get_replacement())
            if "create" in request.POST:
                created = create_bulk_replace(
                    actor=actor,
                    domain_index_id=index.pk,
                    replacement=form.get_replacement(),
                    title=form.cleaned_data["title"] or _suggest_title(form.get_replacement()),
                    description=form.cleaned_data["description"],
                    expected_fingerprint=request.POST.get("fingerprint", ""),
                )
                messages.success(
                    request, f"{preview.document_count} articles are in this draft. Submit it when it is ready."
                )
                return HttpResponseRedirect(reverse("admin:change_request", args=[created.pk]))
        except DomainError as error:
            form.add_error(None, error.detail)
    return show_page(
        request,
        "bulk_edit.html",
        "Search and replace",
        form=form,
        preview=preview,
        documents=preview.documents[:DOCUMENTS_SHOWN] if preview else (),
        hits_shown=HITS_SHOWN,
    )


def _suggest_title(replacement: Replacement) -> str:
    return f"Replace “{replacement.search[:60]}” by “{replacement.replacement[:60]}”"
