"""One edit for all articles that a filter chooses: looked at first, then proposed as one change request."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from reviews.change_requests.actions.bulk import create_bulk_edit
from reviews.change_requests.admin.bulk_form import BulkForm, make_text_field, show_bulk_form
from reviews.change_requests.admin.changes import MetaRow, list_meta_changes
from reviews.change_requests.core.bulk_edits import BulkEdit
from reviews.change_requests.selectors.bulk_edits import ArticleFilter, preview_bulk_edit
from reviews.change_requests.selectors.bulk_replace import BulkPreview, ChangedDocument
from reviews.core.actor import Actor
from reviews.models import ChangeRequest


class EditManyForm(BulkForm):
    """Which articles, and what becomes of them."""

    types = make_text_field("Types", "By commas.", max_length=500)
    language = make_text_field("Language", max_length=16)
    tags = make_text_field("All of these tags", "By commas.", max_length=500)
    slugs = make_text_field("Only these slugs", "By commas.", max_length=5000)
    book = make_text_field("Imported with the lorebook", max_length=200)
    text = make_text_field("With these words in title or text", max_length=200)
    add_tags = make_text_field("Add tags", "By commas.", max_length=500)
    remove_tags = make_text_field("Take tags away", "By commas.", max_length=500)
    type = make_text_field("New type", max_length=32)
    audience = make_text_field("Who may know them", "public, or npc:SLUG and faction:SLUG by commas.", max_length=1000)
    settings = forms.CharField(
        required=False,
        max_length=5000,
        label="Settings of lorebooks",
        help_text="One a line, as in order=250. A line order= takes the setting away.",
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
    )

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

    def preview(self) -> BulkPreview:
        return preview_bulk_edit(self.cleaned_data["index"].pk, self.get_filter(), self.get_edit())

    def create(self, actor: Actor, preview: BulkPreview, fingerprint: str) -> ChangeRequest:
        return create_bulk_edit(
            actor=actor,
            domain_index_id=self.cleaned_data["index"].pk,
            chosen=self.get_filter(),
            edit=self.get_edit(),
            title=self.cleaned_data["title"] or f"Edit of {preview.document_count} articles",
            description=self.cleaned_data["description"],
            expected_fingerprint=fingerprint,
        )


def edit_many_view(request: HttpRequest) -> HttpResponse:
    """One edit for all chosen articles, with every change before anything is drafted."""
    return show_bulk_form(
        request, EditManyForm, template="edit_many.html", heading="Edit many articles", make_row=_make_row
    )


def _make_row(document: ChangedDocument) -> tuple[ChangedDocument, list[MetaRow]]:
    return document, list_meta_changes(document.publication, document.article)


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
