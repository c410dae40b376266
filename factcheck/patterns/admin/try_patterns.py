"""The try-it box: what the patterns make of messages, with a pattern that is not saved yet if need be."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from factcheck.instant.core.labelled_lines import SAID_AT
from factcheck.instant.core.pattern_rows import MAX_PATTERN_LENGTH
from factcheck.instant.core.pattern_rows import InstantPattern as Draft
from factcheck.instant.core.trial import Case, Trial, Tried
from factcheck.instant.registry import CompiledVersion, get_compiled
from factcheck.instant.scorer import get_scorer
from factcheck.instant.selectors.cases import describe_case, list_case_files, read_cases
from factcheck.models import InstantPattern
from factcheck.patterns.actions.patterns import describe_pattern
from factcheck.patterns.actions.validation import Validation, validate_pattern
from factcheck.patterns.selectors.patterns import read_configuration
from knowledge.facts.core.types import HEARD_TYPES, KEY_RULES
from knowledge.text.languages import PATTERN_LANGUAGES
from tenancy.admin.access import can_access_all_tenants, may_see_canon

MAX_LINES = 500
MAX_CHARACTERS = 200_000
DRAFT_NAME = "draft.of.this.page"


def _options(values: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(value, value.replace("_", " ")) for value in values]


class TrialForm(forms.Form):
    """Messages or a case file, and a pattern to add."""

    messages = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
        help_text=f"One a line, at most {MAX_LINES}. What an earlier one states is known to the later ones.",
    )
    case_file = forms.ChoiceField(required=False, label="Or a case file", help_text="Shows what was expected, too.")
    previous = forms.CharField(
        required=False,
        max_length=4_000,
        label="What the assistant said before",
        widget=forms.TextInput(attrs={"dir": "auto"}),
        help_text="For corrections: “You like leather, right?”",
    )
    pattern = forms.CharField(
        required=False,
        max_length=MAX_PATTERN_LENGTH,
        label="With this pattern added",
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "spellcheck": "false"}),
        help_text="RE2; {macro}s of all packs can be used.",
    )
    type = forms.ChoiceField(choices=_options(HEARD_TYPES), required=False, initial="allergy")
    language = forms.ChoiceField(choices=_options(PATTERN_LANGUAGES), required=False, initial="en")
    key_rule = forms.ChoiceField(choices=_options(KEY_RULES), required=False, initial="concept")
    key = forms.CharField(max_length=100, required=False)
    anchors = forms.CharField(max_length=MAX_PATTERN_LENGTH, required=False)
    anti_anchors = forms.CharField(max_length=MAX_PATTERN_LENGTH, required=False)
    skips = forms.CharField(max_length=1_000, required=False, help_text="Names of guards, separated by commas.")
    closed = forms.BooleanField(required=False, label="Known values only")
    pack = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    name = forms.CharField(max_length=120, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        files = [(name, name) for name in list_case_files()]
        self.fields["case_file"].choices = [("", "–"), *files]  # type: ignore[attr-defined]

    def clean_messages(self) -> list[str]:
        """The lines that say something."""
        text = self.cleaned_data["messages"]
        if len(text) > MAX_CHARACTERS:
            raise ValidationError(
                f"These are {len(text):,} characters; the most is {MAX_CHARACTERS:,}.", code="messages_too_long"
            )
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(lines) > MAX_LINES:
            raise ValidationError(f"These are {len(lines):,} lines; the most is {MAX_LINES}.", code="too_many_lines")
        return lines

    def clean(self) -> dict[str, Any]:
        """There is something to try."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and not cleaned.get("messages") and not cleaned.get("case_file"):
            raise ValidationError("Write at least one message, or choose a case file.", code="nothing_to_try")
        return cleaned

    def get_draft(self) -> Draft | None:
        """The pattern to add, if one was written."""
        data = self.cleaned_data
        if not data["pattern"].strip():
            return None
        return Draft(
            name=data["name"] or DRAFT_NAME,
            type=data["type"] or "allergy",
            language=data["language"] or "en",
            pattern=data["pattern"],
            key_rule=data["key_rule"] or "concept",
            key=data["key"],
            anchors=data["anchors"],
            anti_anchors=data["anti_anchors"],
            skips=tuple(name.strip() for name in data["skips"].split(",") if name.strip()),
            closed=data["closed"],
            pack=data["pack"] or "draft",
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that the page shows below the form."""

    served: CompiledVersion
    rows: tuple[Tried, ...]
    validation: Validation | None

    @property
    def passed(self) -> int:
        """Cases with what they expect."""
        return sum(row.has_passed is True for row in self.rows)

    @property
    def failed(self) -> int:
        """Cases with something else."""
        return sum(row.has_passed is False for row in self.rows)

    @property
    def mean_microseconds(self) -> float:
        """Of one message."""
        return statistics.mean(row.microseconds for row in self.rows) if self.rows else 0.0


def try_patterns_view(request: HttpRequest) -> HttpResponse:
    """The form, and below it message by message what fires, what is extracted, and what it took."""
    if not may_see_canon(request):
        raise PermissionDenied
    form = TrialForm(request.POST) if request.method == "POST" else TrialForm(initial=_prefill(request))
    outcome = _try(form, may_sample=can_access_all_tenants(request.user)) if form.is_bound and form.is_valid() else None
    request.current_app = admin.site.name
    context = {**admin.site.each_context(request), "title": "Try patterns", "form": form, "outcome": outcome}
    return TemplateResponse(request, "memory37/try_patterns.html", context)


def _try(form: TrialForm, *, may_sample: bool) -> Outcome | None:
    served, draft = get_compiled(), form.get_draft()
    validation = None
    if draft is not None:
        validation = validate_pattern(draft, with_sample=may_sample)
        if any(finding.code != "pattern_too_broad" for finding in validation.findings):
            return Outcome(served, (), validation)
    is_file = bool(form.cleaned_data["case_file"])
    trial = Trial(
        served.patterns,
        served.concepts,
        draft=draft,
        configuration=read_configuration() if draft else None,
        scorer=None if is_file else get_scorer(),
    )
    if is_file:
        cases = [describe_case(raw) for raw in read_cases(form.cleaned_data["case_file"])]
        return Outcome(served, tuple(trial.read(cases, now=SAID_AT)), validation)
    cases = [Case(line, previous=form.cleaned_data["previous"]) for line in form.cleaned_data["messages"]]
    return Outcome(served, tuple(trial.read(cases, now=timezone.now(), in_order=True)), validation)


def _prefill(request: HttpRequest) -> dict[str, Any]:
    """The stored pattern that a link names."""
    wanted = request.GET.get("pattern", "")
    rows = InstantPattern.objects.select_related("pack")
    row = rows.filter(pk=int(wanted[:15])).first() if wanted.isdecimal() else None
    if row is None:
        return {}
    draft: Draft = describe_pattern(row)
    names = ("name", "pack", "type", "language", "pattern", "key_rule", "key", "anchors", "anti_anchors", "closed")
    return {name: getattr(draft, name) for name in names} | {"skips": ", ".join(draft.skips)}
