"""One edit for all articles that a filter chooses: looked at first, then proposed as one change request."""

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
from reviews.change_requests.actions.bulk import create_bulk_edit
from reviews.change_requests.admin.changes import list_meta_changes
from reviews.change_requests.core.bulk_edits import BulkEdit
from reviews.change_requests.selectors.bulk_edits import ArticleFilter, preview_bulk_edit
from reviews.change_requests.selectors.bulk_replace import BulkPreview
from reviews.core.permissions import require

DOCUMENTS_SHOWN = 100


def _text(label: str, help_text: str = "", **options: Any) -> forms.CharField:
    widget = forms.TextInput(attrs={"dir": "auto"})
    return forms.CharField(label=label, required=False, help_text=help_text, widget=widget, **options)


class EditManyForm(forms.Form):
    """Which articles, and what becomes of them."""

    index = forms.ModelChoiceField(DomainIndex.objects.none(), label="World and domain", empty_label=None)
    types = _text("Types", "By commas.", max_length=500)
    language = _text("Language", max_length=16)
    tags = _text("All of these tags", "By commas.", max_length=500)
    slugs = _text("Only these slugs", "By commas.", max_length=5000)
    book = _text("Imported with the lorebook", max_length=200)
    text = _text("With these words in title or text", max_length=200)
    add_tags = _text("Add tags", "By commas.", max_length=500)
    remove_tags = _text("Take tags away", "By commas.", max_length=500)
    type = _text("New type", max_length=32)
    audience = _text("Who may know them", "public, or npc:SLUG and faction:SLUG by commas.", max_length=1000)
    settings = forms.CharField(
        required=False,
        max_length=5000,
        label="Settings of lorebooks",
        help_text="One a line, as in order=250. A line order= takes the setting away.",
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
    )
    title = _text("Title of the change request", max_length=200)
    description = forms.CharField(
        max_length=20_000, required=False, label="Why", widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"})
    )

    def __init__(self, *args: Any, indexes: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["index"].queryset = indexes  # type: ignore[attr-defined]

    def get_filter(self) -> ArticleFilter:
        """Which articles are meant."""
        data = self.cleaned_data
        return ArticleFilter(
            types=_split(data["types"]),
            language=data["language"].strip(),
            tags=_split(data["tags"]),
            slugs=_split(data["slugs"]),
            book=data["book"].strip(),
            text=data["text"].strip(),
        )

    def get_edit(self) -> BulkEdit:
        """What becomes of them."""
        data = self.cleaned_data
        return BulkEdit(
            add_tags=_split(data["add_tags"]),
            remove_tags=_split(data["remove_tags"]),
            type=data["type"].strip(),
            audience=_split(data["audience"]),
            settings=tuple(line.strip() for line in data["settings"].splitlines() if line.strip()),
        )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not self.errors and not self.get_edit():
            raise forms.ValidationError("Say what is to change: tags, type, audience or settings.")
        for line in data.get("settings", "").splitlines():
            if line.strip() and "=" not in line:
                self.add_error("settings", f"{line.strip()[:60]}: write name=value.")
        return data


def edit_many_view(request: HttpRequest) -> HttpResponse:
    """The form; after "Preview" every article that changes; after "Create" the draft that holds them all."""
    indexes = list_domain_indexes(request.user)
    if not indexes.exists():
        return show_page(request, "no_domains.html", "Edit many articles")
    form = EditManyForm(request.POST or None, indexes=indexes, initial={"index": indexes.first()})
    preview: BulkPreview | None = None
    if request.method == "POST" and form.is_valid():
        index = form.cleaned_data["index"]
        actor = get_actor(request, index.tenant_id)
        require(actor, "create")
        try:
            preview = preview_bulk_edit(index.pk, form.get_filter(), form.get_edit())
            if "create" in request.POST:
                created = create_bulk_edit(
                    actor=actor,
                    domain_index_id=index.pk,
                    chosen=form.get_filter(),
                    edit=form.get_edit(),
                    title=form.cleaned_data["title"] or f"Edit of {preview.document_count} articles",
                    description=form.cleaned_data["description"],
                    expected_fingerprint=request.POST.get("fingerprint", ""),
                )
                messages.success(
                    request, f"{preview.document_count} articles are in this draft. Submit it when it is ready."
                )
                return HttpResponseRedirect(reverse("admin:change_request", args=[created.pk]))
        except DomainError as error:
            form.add_error(None, error.detail)
    documents = preview.documents[:DOCUMENTS_SHOWN] if preview else ()
    return show_page(
        request,
        "edit_many.html",
        "Edit many articles",
        form=form,
        preview=preview,
        rows=[(each, list_meta_changes(each.publication, each.article)) for each in documents],
    )


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
