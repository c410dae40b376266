"""Search and replace over the live articles of a domain: looked at first, then proposed as one change request."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse

from reviews.change_requests.actions.bulk import create_bulk_replace
from reviews.change_requests.admin.bulk_form import BulkForm, make_text_field, show_bulk_form
from reviews.change_requests.core.replace import FIELDS
from reviews.change_requests.selectors.bulk_replace import BulkPreview, Replacement, preview_bulk_replace
from reviews.core.actor import Actor
from reviews.models import ChangeRequest


class ReplaceForm(BulkForm):
    """What to look for and what to put there."""

    search = make_text_field("Search for", required=True, max_length=1000, strip=False)
    replacement = make_text_field("Replace by", max_length=10_000, strip=False)
    regex = forms.BooleanField(required=False, label="Regular expression (RE2; \\1 stands for the first group)")
    case_sensitive = forms.BooleanField(required=False, initial=True, label="Upper and lower case differ")
    look_in = forms.MultipleChoiceField(
        choices=[(name, name.capitalize()) for name in FIELDS],
        initial=["body"],
        label="Look in",
        widget=forms.CheckboxSelectMultiple,
    )

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

    def preview(self) -> BulkPreview:
        return preview_bulk_replace(self.cleaned_data["index"].pk, self.get_replacement())

    def create(self, actor: Actor, preview: BulkPreview, fingerprint: str) -> ChangeRequest:
        return create_bulk_replace(
            actor=actor,
            domain_index_id=self.cleaned_data["index"].pk,
            replacement=self.get_replacement(),
            title=self.cleaned_data["title"] or _suggest_title(self.get_replacement()),
            description=self.cleaned_data["description"],
            expected_fingerprint=fingerprint,
        )


def bulk_edit_view(request: HttpRequest) -> HttpResponse:
    """Search and replace, with every hit before anything is drafted."""
    return show_bulk_form(request, ReplaceForm, template="bulk_edit.html", heading="Search and replace")


def _suggest_title(replacement: Replacement) -> str:
    return f"Replace “{replacement.search[:60]}” by “{replacement.replacement[:60]}”"
