"""A form that changes many articles at once: what it would change is looked at first, then drafted as one request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from knowledge.canon.models import DomainIndex
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from reviews.admin.common import get_actor, list_domain_indexes
from reviews.change_requests.selectors.bulk_replace import BulkPreview, ChangedDocument
from reviews.core.actor import Actor
from reviews.core.permissions import require
from reviews.models import ChangeRequest

DOCUMENTS_SHOWN = 100


def make_text_field(label: str, help_text: str = "", *, required: bool = False, **options: Any) -> forms.CharField:
    """A line of text in either direction of writing."""
    widget = forms.TextInput(attrs={"dir": "auto"})
    return forms.CharField(label=label, required=required, help_text=help_text, widget=widget, **options)


class BulkForm(forms.Form):
    """In which world and domain, and what the change request is called."""

    index = forms.ModelChoiceField(DomainIndex.objects.none(), label="World and domain", empty_label=None)
    title = make_text_field("Title of the change request", max_length=200)
    description = forms.CharField(
        max_length=20_000, required=False, label="Why", widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"})
    )

    def __init__(self, *args: Any, indexes: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["index"].queryset = indexes  # type: ignore[attr-defined]

    def preview(self) -> BulkPreview:
        """What it would change. Raises DomainError."""
        raise NotImplementedError

    def create(self, actor: Actor, preview: BulkPreview, fingerprint: str) -> ChangeRequest:
        """The draft; `fingerprint` is of what was shown. Raises DomainError."""
        raise NotImplementedError


def show_bulk_form(
    request: HttpRequest,
    form_class: type[BulkForm],
    *,
    template: str,
    heading: str,
    make_row: Callable[[ChangedDocument], object] = lambda document: document,
) -> HttpResponse:
    """The form; after "Preview" every article that changes; after "Create" the draft that holds them all.

    `make_row` makes what the template shows of an article.
    """
    indexes = list_domain_indexes(request.user)
    if not indexes.exists():
        return show_page(request, "no_domains.html", heading)
    form = form_class(request.POST or None, indexes=indexes, initial={"index": indexes.first()})
    preview: BulkPreview | None = None
    if request.method == "POST" and form.is_valid():
        actor = get_actor(request, form.cleaned_data["index"].tenant_id)
        require(actor, "create")
        try:
            preview = form.preview()
            if "create" in request.POST:
                created = form.create(actor, preview, request.POST.get("fingerprint", ""))
                messages.success(
                    request, f"{preview.document_count} articles are in this draft. Submit it when it is ready."
                )
                return HttpResponseRedirect(reverse("admin:change_request", args=[created.pk]))
        except DomainError as error:
            form.add_error(None, error.detail)
    rows = [make_row(each) for each in preview.documents[:DOCUMENTS_SHOWN]] if preview else []
    return show_page(request, template, heading, form=form, preview=preview, rows=rows)
