"""Golden queries: edited, asked, taken in and given out as JSON; and the runs that came of them."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from knowledge.admin.filters import DomainFilter
from memoryproject.admin.flash import flash_error
from memoryproject.admin.pages import show_page
from memoryproject.errors import DomainError
from reviews.admin.common import get_actor, get_domain_index_or_404, list_domain_indexes
from reviews.core.permissions import REQUIRED_ROLE
from reviews.golden.actions.changes import change_golden_query, create_golden_query, delete_golden_query
from reviews.golden.actions.gate import run_golden
from reviews.golden.actions.queries import export_golden_queries, import_golden_queries
from reviews.golden.admin.forms import GoldenFileForm, GoldenQueryForm
from reviews.golden.core.queries import COLUMNS
from reviews.models import GoldenChange, GoldenChangeState, GoldenQuery, GoldenRun
from reviews.releases.selectors.boards import describe_metrics, describe_results
from reviews.templatetags.memory37 import STATE_BADGES
from tenancy.admin.access import get_or_404
from tenancy.admin.tenant_filter import ReadOnlyAdmin, TenantFilteredAdmin


@admin.register(GoldenQuery)
class GoldenQueryAdmin(TenantFilteredAdmin):
    """The questions that every release has to answer."""

    write_role = REQUIRED_ROLE["edit_golden"]
    form = GoldenQueryForm
    list_display = ("key", "show_query", "domain_index", "language", "show_expectation", "k", "npc_id", "active")
    list_filter = (DomainFilter, "active", "language")
    list_select_related = ("domain_index__world",)
    list_per_page = 50
    search_fields = ("key", "query", "must_hit")
    list_before_template = "memory37/golden_actions.html"
    change_form_before_template = "memory37/golden_form_top.html"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """With the ways to ask, take in and give out the queries of one domain."""
        wanted = request.GET.get("index", "")
        indexes = list_domain_indexes(request.user)
        chosen = indexes.filter(pk=int(wanted)).first() if wanted.isdecimal() else None
        context = {"golden_indexes": [chosen] if chosen else list(indexes), "title": "Golden queries"}
        page: HttpResponse = super().changelist_view(request, {**context, **(extra_context or {})})
        return page

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A query stays in its domain under its key: results are compared by it."""
        return ("domain_index", "key") if obj else ()

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A new query needs no reason."""
        return [name for name in super().get_fields(request, obj) if name != "reason" or obj is not None]

    def save_model(self, request: HttpRequest, obj: GoldenQuery, form: Any, change: bool) -> None:
        """Stored with its reason, or proposed to a second person."""
        columns = {name: form.cleaned_data[name] for name in COLUMNS}
        if not change:
            index = obj.domain_index
            created = create_golden_query(
                actor=get_actor(request, index.tenant_id), domain_index_id=index.pk, key=obj.key, columns=columns
            )
            obj.pk, obj.tenant_id = created.pk, created.tenant_id
            return
        done = change_golden_query(
            actor=get_actor(request, obj.tenant_id),
            query_id=obj.pk,
            columns=columns,
            reason=form.cleaned_data.get("reason", ""),
        )
        request.golden_change = done  # type: ignore[attr-defined]

    def response_change(self, request: HttpRequest, obj: GoldenQuery) -> HttpResponse:
        """A word on whether the change is done or waits."""
        return flash_golden_change(request, getattr(request, "golden_change", None), obj.domain_index_id)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Why it goes; then it is gone, or its deletion waits for a second person."""
        query = self.get_object(request, object_id)
        if query is None:
            raise Http404
        if request.method == "POST":
            change = delete_golden_query(
                actor=get_actor(request, query.tenant_id),
                query_id=query.pk,
                reason=request.POST.get("reason", ""),
                expected_version=_read_version(request),
            )
            return flash_golden_change(request, change, query.domain_index_id)
        return show_page(request, "golden_delete.html", f"Delete golden query {query.key}", query=query)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """With the change that waits for a second person, if one does."""
        obj = context.get("original")
        if obj is not None:
            context["waiting_change"] = GoldenChange.objects.filter(
                domain_index_id=obj.domain_index_id, key=obj.key, state=GoldenChangeState.PROPOSED
            ).first()
        return super().render_change_form(request, context, *args, **kwargs)

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
        page: HttpResponse = super().changelist_view(request, {"title": "Golden runs", **(extra_context or {})})
        return page

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
        flash_error(request, error)
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
                actor=get_actor(request, index.tenant_id),
                domain_index_id=index.pk,
                queries=form.cleaned_data["file"],
                reason=form.cleaned_data["reason"],
            )
        except DomainError as error:
            problems = error.extra.get("errors") or [{"path": "", "message": error.detail}]
        else:
            messages.success(
                request,
                f"{counts.created} created, {counts.updated} changed, {counts.unchanged} as they were, "
                f"{counts.retired} switched off, {counts.proposed} waiting for a second person.",
            )
            return HttpResponseRedirect(_list_url(index.pk))
    title = f"Import golden queries of {index}"
    return show_page(request, "golden_import.html", title, form=form, problems=problems, index=index)


def _list_url(index_id: int) -> str:
    return f"{reverse('admin:reviews_goldenquery_changelist')}?index={index_id}"


def _read_version(request: HttpRequest) -> int:
    text = request.POST.get("version", "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def flash_golden_change(request: HttpRequest, change: GoldenChange | None, index_id: int) -> HttpResponse:
    """To the list, or to the change that waits, with a word on it."""
    if change is None:
        messages.info(request, "Nothing differed from what stands.")
    elif change.state == GoldenChangeState.PROPOSED:
        messages.warning(
            request, f"{change.key} can close a gate, so nothing has changed yet: a second person must agree."
        )
        return HttpResponseRedirect(reverse("admin:golden_change", args=[change.pk]))
    else:
        messages.success(request, f"{change.key}: done. The log keeps your reason.")
    return HttpResponseRedirect(_list_url(index_id))
