"""Runs: a list, and each one in plain words. For those who may see players."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from episodes.conversations.admin import TENANTS, link_player
from episodes.models import Message
from factcheck.extraction import sentences
from factcheck.extraction.actions.version_reverts import list_undoable
from factcheck.extraction.models import ExtractionRun, RunMessage, RunMode, RunState
from factcheck.extraction.selectors.stories import load_run_story
from memoryproject.admin.pages import show_page
from tenancy.admin.access import has_role
from tenancy.admin.tenant_filter import PlayerDataAdmin
from tenancy.models import Role

OUTCOMES = ("extracted", "rejected", "nothing", "failed")


class UndoneFilter(admin.SimpleListFilter):
    """Whether a person undid the run."""

    title = "undone"
    parameter_name = "undone"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Yes or no."""
        return [("yes", "Yes"), ("no", "No")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Runs that were, or were not."""
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(reverted_at__isnull=self.value() == "no")


@admin.register(ExtractionRun)
class ExtractionRunAdmin(PlayerDataAdmin):
    """Runs, newest first, each leading to its story."""

    list_name = "runs"
    list_display = (
        "show_run", "show_state", "mode", "show_trigger", "show_player", "show_messages", "show_deltas", "cost_usd",
        "show_lag", "show_error",
    )  # fmt: skip
    list_display_links = None
    list_filter = (
        "state", "mode", "triggered_by", UndoneFilter, TENANTS, "proposer", ("created_at", admin.DateFieldListFilter),
    )  # fmt: skip
    list_select_related = ("end_user",)
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("=end_user__external_id", "=prompt_version", "=id")
    search_help_text = "A player's id, a prompt's version, or a run's id"
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Without answers; each with the time at which its first message came."""
        first = RunMessage.objects.filter(run=OuterRef(OuterRef("pk"))).order_by("message_id").values("message_id")[:1]
        came = Message.objects.filter(pk=Subquery(first)).values("created_at")
        return super().get_queryset(request).defer("answer_sealed").annotate(first_message_at=Subquery(came))

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The story of one run."""
        run = self.get_object(request, object_id)
        if run is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        version = {"tenant_id": run.tenant_id, "proposer": run.proposer, "prompt_version": run.prompt_version}
        may_undo = run.state == RunState.APPLIED and run.reverted_at is None
        return show_page(
            request,
            "extraction_run.html",
            f"Run {run.pk}",
            run=run,
            story=load_run_story(run),
            lag=describe_lag(run),
            may_undo=may_undo,
            writes=run.mode == RunMode.ON,
            may_retry=run.state == RunState.FAILED,
            of_version=list_undoable(**version).count() if has_role(request.user, run.tenant_id, Role.OWNER) else 0,
        )

    @admin.display(description="Run", ordering="id")
    def show_run(self, row: ExtractionRun) -> SafeString:
        """Leads to the story."""
        url = reverse("admin:factcheck_extractionrun_change", args=[row.pk])
        time = timezone.localtime(row.created_at).strftime("%-d %b %Y, %H:%M")
        return format_html('<a class="m-strong-link" href="{}">#{}</a><div class="m-slug">{}</div>', url, row.pk, time)

    @admin.display(description="State", ordering="state")
    def show_state(self, row: ExtractionRun) -> SafeString:
        """A badge; undone ones say so."""
        word = "undone" if row.reverted_at else row.state
        return format_html('<span class="{}">{}</span>', sentences.get_badge(word), word)

    @admin.display(description="Why then")
    def show_trigger(self, row: ExtractionRun) -> str:
        """What began it."""
        return sentences.TRIGGERS.get(row.triggered_by, row.triggered_by)

    @admin.display(description="Player")
    def show_player(self, row: ExtractionRun) -> SafeString:
        """Whose talk it read."""
        return link_player(row.end_user)

    @admin.display(description="Messages")
    def show_messages(self, row: ExtractionRun) -> str:
        """How many, and what became of them."""
        counts = [f"{getattr(row, name)} {name}" for name in OUTCOMES if getattr(row, name)]
        return f"{row.messages}: {', '.join(counts)}" if counts else str(row.messages)

    @admin.display(description="Changes")
    def show_deltas(self, row: ExtractionRun) -> str:
        """How many were proposed, and how many came to something."""
        return f"{row.deltas_applied} of {row.deltas}" if row.finished_at else "–"

    @admin.display(description="Lag")
    def show_lag(self, row: ExtractionRun) -> str:
        """How long the first message waited."""
        return describe_lag(row)

    @admin.display(description="Error", ordering="error_code")
    def show_error(self, row: ExtractionRun) -> str:
        """Why it failed, in a word."""
        return row.error_code.replace("_", " ")


def describe_lag(run: ExtractionRun) -> str:
    """From the first message of the range until the run was over: what a game waits for. A dash where it is not."""
    came = getattr(run, "first_message_at", None)
    if came is None or run.finished_at is None:
        return "–"
    return describe_time(run.finished_at - came)


def describe_time(span: dt.timedelta) -> str:
    """Seconds, minutes, hours or days, rounded."""
    seconds = max(0, round(span.total_seconds()))
    for size, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.1f} {name}".replace(".0 ", " ")
    return f"{seconds} s"
