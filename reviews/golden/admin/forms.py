"""Forms of golden queries: one query, and a file of them."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib.postgres.forms import SimpleArrayField
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from knowledge.canon.core.slugs import SLUG_PATTERN
from reviews.change_requests.actions.transitions import MAX_REASON_LENGTH
from reviews.golden.core.queries import COLUMNS
from reviews.models import GoldenQuery

LARGEST_FILE = 2 * 1024 * 1024


class GoldenQueryForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """A query and what it must, should and must not find; slugs separated by commas."""

    key = forms.RegexField(
        SLUG_PATTERN,
        max_length=120,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Lowercase letters, digits, hyphens.",
    )
    must_hit = SimpleArrayField(
        forms.RegexField(SLUG_PATTERN, max_length=120),
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Slugs that must be among the first k, separated by commas. One that is missing blocks a release.",
    )
    must_not_hit = SimpleArrayField(
        forms.RegexField(SLUG_PATTERN, max_length=120),
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Slugs that must not be found at any place.",
    )
    relevant = forms.JSONField(
        required=False,
        initial=dict,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text='How much an article helps, 1 to 3, for nDCG and recall: {"moon-bridge": 3, "toll-song": 1}',
    )
    tags = SimpleArrayField(forms.CharField(max_length=64), required=False, widget=UnfoldAdminTextInputWidget())

    reason = forms.CharField(
        required=False,
        max_length=MAX_REASON_LENGTH,
        label="Why it changes",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2, "dir": "auto"}),
        help_text="Kept in the log. A query that can close a gate changes once a second person agrees.",
    )
    query = forms.CharField(widget=UnfoldAdminTextareaWidget(attrs={"rows": 2, "dir": "auto"}))
    note = forms.CharField(required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 2, "dir": "auto"}))

    class Meta:
        model = GoldenQuery
        labels = {"domain_index": "World and domain", "npc_id": "As NPC", "k": "First k"}
        fields = ("domain_index", "key", *COLUMNS)

    def clean_relevant(self) -> dict[str, int]:
        """Slug to grade."""
        grades = self.cleaned_data["relevant"] or {}
        is_sound = isinstance(grades, dict) and all(type(grade) is int and 1 <= grade <= 3 for grade in grades.values())
        if not is_sound:
            raise ValidationError("Write slugs with grades from 1 to 3.", code="relevant_invalid")
        return grades

    def clean(self) -> dict[str, Any]:
        """A query expects something, or it tests nothing."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not any(cleaned.get(name) for name in ("must_hit", "must_not_hit", "relevant")) and not self.errors:
            raise ValidationError("Say what the query must find, must not find, or what is relevant to it.")
        changed = set(self.changed_data) - {"reason"}
        if self.instance.pk is not None and changed and not cleaned.get("reason", "").strip() and not self.errors:
            self.add_error("reason", "Say why.")
        return cleaned


class GoldenFileForm(forms.Form):
    """A file in the form of `schemas/golden_queries.schema.json`."""

    file = forms.FileField(label="JSON file", help_text="Active queries that the file lacks are switched off.")
    reason = forms.CharField(
        required=False,
        max_length=MAX_REASON_LENGTH,
        label="Why",
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text="Needed when queries that are there change or are switched off. Those that can close a gate wait for "
        "a second person.",
    )

    def clean_file(self) -> list[Any]:
        """What the file holds."""
        upload = self.cleaned_data["file"]
        if upload.size > LARGEST_FILE:
            raise ValidationError("The file is larger than 2 MB.", code="file_too_large")
        try:
            content = json.loads(upload.read().decode("utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise ValidationError(f"This is not JSON: {error}", code="file_not_json") from error
        if not isinstance(content, list):
            raise ValidationError("The file must hold a list of queries.", code="file_not_a_list")
        return content
