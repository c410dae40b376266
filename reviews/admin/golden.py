"""Golden queries: edited, asked, taken in and given out as JSON; and the runs that came of them."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.postgres.forms import SimpleArrayField
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from knowledge.admin.filters import DomainFilter
from memoryproject.errors import DomainError
from reviews.actions.audit import Transition, write_audit
from reviews.actions.gate import run_golden
from reviews.actions.golden_queries import export_golden_queries, import_golden_queries
from reviews.admin.common import get_actor, get_domain_index_or_404, list_domain_indexes, tell_refusal
from reviews.core.permissions import REQUIRED_ROLE
from reviews.models import GoldenQuery, GoldenRun
from reviews.selectors.boards import describe_metrics, describe_results
from reviews.templatetags.memory37 import STATE_BADGES
from tenancy.admin.access import get_or_404
from tenancy.admin.pages import show_page
from tenancy.admin.scoping import ReadOnlyAdmin, TenantScopedAdmin

LARGEST_FILE = 2 * 1024 * 1024
SLUG = r"^[a-z0-9]+(?:-[a-z0-9]+)*$"


class GoldenQueryForm(forms.ModelForm):
    """A query and what it must, should and must not find; slugs separated by commas."""

    key = forms.RegexField(
        SLUG, max_length=120, widget=UnfoldAdminTextInputWidget(), help_text="Lowercase letters, digits, hyphens."
    )
    must_hit = SimpleArrayField(
        forms.RegexField(SLUG, max_length=120),
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Slugs that must be among the first k, separated by commas. One that is missing blocks a release.",
    )
    must_not_hit = SimpleArrayField(
        forms.RegexField(SLUG, max_length=120),
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

    query = forms.CharField(widget=UnfoldAdminTextareaWidget(attrs={"rows": 2, "dir": "auto"}))
    note = forms.CharField(required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 2, "dir": "auto"}))

    class Meta:
        model = GoldenQuery
        labels = {"domain_index": "World and domain", "npc_id": "As NPC", "k": "First k"}
        fields = (
            "domain_index",
            "key",
            "query",
            "language",
            "must_hit",
            "must_not_hit",
            "relevant",
            "k",
            "npc_id",
            "tags",
            "note",
            "active",
        )

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
        return cleaned


class GoldenFileForm(forms.Form):
    """A file in the form of `schemas/golden_queries.schema.json`."""

    file = forms.FileField(label="JSON file", help_text="Active queries that the file lacks are switched off.")

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


@admin.register(GoldenQuery)
class GoldenQueryAdmin(TenantScopedAdmin):
    """The questions that every release has to answer."""

    write_role = REQUIRED_ROLE["edit_golden"]
    form = GoldenQueryForm
    list_display = ("key", "show_query", "domain_index", "language", "show_expectation", "k", "npc_id", "active")
    list_filter = (DomainFilter, "active", "language")
    list_select_related = ("domain_index__world",)
    list_per_page = 50
    search_fields = ("key", "query", "must_hit")
    list_before_template = "memory37/golden_actions.html"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """With the ways to ask, take in and give out the queries of one domain."""
        wanted = request.GET.get("index", "")
        indexes = list_domain_indexes(request.user)
        chosen = indexes.filter(pk=int(wanted)).first() if wanted.isdecimal() else None
        context = {"golden_indexes": [chosen] if chosen else list(indexes), "title": "Golden queries"}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A query stays in its domain under its key: results are compared by it."""
        return ("domain_index", "key") if obj else ()

    def save_model(self, request: HttpRequest, obj: GoldenQuery, form: Any, change: bool) -> None:
        """Stored and logged together."""
        obj.tenant_id = obj.domain_index.tenant_id
        super().save_model(request, obj, form, change)
        self._log(request, obj, "changed" if change else "created", changed=form.changed_data)

    def delete_model(self, request: HttpRequest, obj: GoldenQuery) -> None:
        """Deleted and logged together."""
        self._log(request, obj, "deleted", text=obj.query)
        super().delete_model(request, obj)

    def _log(self, request: HttpRequest, query: GoldenQuery, action: str, **details: Any) -> None:
        entry = Transition(
            action=f"golden_query.{action}",
            object_type="golden_query",
            object_id=query.pk,
            object_label=query.key,
            details={"domain_index": query.domain_index_id} | details,
        )
        write_audit([entry], actor=get_actor(request, query.tenant_id), tenant_id=query.tenant_id)

    @admin.display(description="Query", ordering="query")
    def show_query(self, row: GoldenQuery) -> SafeString:
        """The question in its own direction."""
        return format_html('<span dir="auto" lang="{}">{}</span>', row.language, row.query[:200])

    @admin.display(description="Must find (not)")
    def show_expectation(self, row: GoldenQuery) -> str:
        """Slugs in one line."""
        return ", ".join([*row.must_hit, *(f"not {slug}" for slug in row.must_not_hit)]) or "graded only"


@admin.register(GoldenRun)
class GoldenRunAdmin(ReadOnlyAdmin):
    """All runs; each leads to its own page."""

    list_display = ("show_run", "domain_index", "release", "baseline", "show_state", "show_counts", "started_at")
    list_display_links = None
    list_filter = (DomainFilter, "state")
    list_select_related = ("domain_index__world", "release", "baseline")
    list_per_page = 50

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The list."""
        return super().changelist_view(request, {"title": "Golden runs", **(extra_context or {})})

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The run's own page."""
        run = self.get_object(request, object_id)
        if run is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        return HttpResponseRedirect(reverse("admin:golden_run", args=[run.pk]))

    @admin.display(description="Run", ordering="id")
    def show_run(self, row: GoldenRun) -> SafeString:
        """A link to it."""
        return format_html(
            '<a class="m-strong-link" href="{}">Run {}</a>', reverse("admin:golden_run", args=[row.pk]), row.pk
        )

    @admin.display(description="State", ordering="state")
    def show_state(self, row: GoldenRun) -> SafeString:
        """A coloured word."""
        return format_html('<span class="m-badge m-badge-{}">{}</span>', STATE_BADGES.get(row.state, ""), row.state)

    @admin.display(description="Queries")
    def show_counts(self, row: GoldenRun) -> str:
        """How many, and how many failed."""
        return f"{row.metrics.get('queries', 0)} asked, {row.metrics.get('failed', 0)} failed"


def golden_run_view(request: HttpRequest, run_id: int) -> HttpResponse:
    """One run with its table."""
    run = get_or_404(
        GoldenRun.objects.select_related("domain_index__world", "release", "baseline"), request.user, pk=run_id
    )
    return show_page(
        request,
        "golden_run.html",
        f"Golden run {run.pk}",
        run=run,
        results=describe_results(run),
        metrics=describe_metrics(run.metrics, run.baseline_metrics),
    )


@require_POST
def run_golden_view(request: HttpRequest, index_id: int) -> HttpResponse:
    """Asks all queries of `latest` (or of the release named) now, and shows what came of it."""
    index = get_domain_index_or_404(request.user, index_id)
    text = request.POST.get("number", "")
    try:
        run = run_golden(
            actor=get_actor(request, index.tenant_id),
            domain_index_id=index.pk,
            number=int(text[:9]) if text.isdecimal() else None,
        )
    except DomainError as error:
        tell_refusal(request, error)
        return HttpResponseRedirect(_list_url(index.pk))
    return HttpResponseRedirect(reverse("admin:golden_run", args=[run.pk]))


def export_golden_view(request: HttpRequest, index_id: int) -> HttpResponse:
    """The domain's active queries as a file."""
    index = get_domain_index_or_404(request.user, index_id)
    text = json.dumps(export_golden_queries(domain_index_id=index.pk), ensure_ascii=False, indent=2) + "\n"
    name = f"{index.world.slug}.{index.domain}.json"
    return HttpResponse(
        text, content_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def import_golden_view(request: HttpRequest, index_id: int) -> HttpResponse:
    """The domain's queries as a file has them: all of it or nothing."""
    index = get_domain_index_or_404(request.user, index_id)
    form = GoldenFileForm(request.POST or None, request.FILES or None)
    problems: list[dict[str, str]] = []
    if request.method == "POST" and form.is_valid():
        try:
            counts = import_golden_queries(
                actor=get_actor(request, index.tenant_id), domain_index_id=index.pk, queries=form.cleaned_data["file"]
            )
        except DomainError as error:
            problems = error.extra.get("errors") or [{"path": "", "message": error.detail}]
        else:
            messages.success(
                request,
                f"{counts.created} created, {counts.updated} changed, {counts.unchanged} as they were, "
                f"{counts.retired} switched off.",
            )
            return HttpResponseRedirect(_list_url(index.pk))
    title = f"Import golden queries of {index}"
    return show_page(request, "golden_import.html", title, form=form, problems=problems, index=index)


def _list_url(index_id: int) -> str:
    return f"{reverse('admin:reviews_goldenquery_changelist')}?index={index_id}"
