"""Traces as stories: asked, found, cut, said, and the same turn now. For those who may see players."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memoryproject.admin.pages import show_page
from runtime.context.admin import word_reason
from runtime.models import Trace
from runtime.traces.core.ids import floor_trace_id
from runtime.traces.core.traces import TracedItem
from runtime.traces.selectors.replay import replay_trace
from runtime.traces.selectors.traces import OpenedTrace, open_trace
from tenancy.admin.tenant_filter import PlayerDataAdmin

PERIODS = {"1": "today and yesterday", "7": "the last 7 days"}


class PeriodFilter(admin.SimpleListFilter):
    """When it was, by the id, which sorts by time."""

    title = "time"
    parameter_name = "days"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The periods."""
        return list(PERIODS.items())

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Traces of the period."""
        if self.value() not in PERIODS:
            return queryset
        return queryset.filter(pk__gte=floor_trace_id(timezone.now() - dt.timedelta(days=int(self.value() or 0))))


class DegradedFilter(admin.SimpleListFilter):
    """Whether the turn had to do without something."""

    title = "went without something"
    parameter_name = "degraded"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Yes or no."""
        return [("yes", "Yes"), ("no", "No")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Traces that did, or did not."""
        if self.value() == "yes":
            return queryset.exclude(degraded=[])
        return queryset.filter(degraded=[]) if self.value() == "no" else queryset


@dataclass(frozen=True, slots=True)
class Told:
    """What one layer told."""

    name: str
    tokens: int
    items: Sequence[TracedItem]


@admin.register(Trace)
class TraceAdmin(PlayerDataAdmin):
    """Turns, newest first, each leading to its story."""

    list_display = ("show_time", "kind", "world", "npc_id", "user_id", "session_id", "tokens", "show_state")
    list_display_links = None
    list_filter = (PeriodFilter, "kind", DegradedFilter)
    list_select_related = ("world",)
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("=user_id", "=session_id", "=npc_id", "=id")
    search_help_text = "A player's id, a session's, an NPC's, or a trace's"
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Without words and items."""
        return super().get_queryset(request).defer("texts", "outline")

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The story of one turn; with `?replay` also the same turn as of then and now."""
        trace = self.get_object(request, object_id)
        if trace is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        opened = open_trace(trace)
        return show_page(
            request,
            "trace.html",
            "What happened in this turn",
            opened=opened,
            trace=trace,
            told=_group(opened),
            cut=[(each, word_reason(each.reason, each.item)) for each in opened.items if not each.was_told],
            checks=list(zip_longest(trace.outline["checks"], opened.contradictions, opened.suspects, fillvalue=())),
            last_check=next(reversed(trace.outline["checks"]), None),
            used=set(opened.feedback.used_item_ids) if opened.feedback else set(),
            replay=replay_trace(opened) if "replay" in request.GET else None,
        )

    @admin.display(description="When", ordering="id")
    def show_time(self, row: Trace) -> SafeString:
        """Leads to the story."""
        url = reverse("admin:runtime_trace_change", args=[row.pk])
        time = timezone.localtime(row.created_at).strftime("%-d %b %Y, %H:%M:%S")
        return format_html('<a class="m-strong-link" href="{}">{}</a>', url, time)

    @admin.display(description="How it went")
    def show_state(self, row: Trace) -> SafeString:
        """What canon denied, what was missing, what is forgotten."""
        if row.blanked_at is not None:
            return format_html('<span class="m-badge">{}</span>', "forgotten")
        if row.contradictions:
            return format_html('<span class="m-badge m-badge-red">{}</span>', "contradicts canon")
        if row.degraded:
            return format_html('<span class="m-badge m-badge-orange">{}</span>', row.degraded[0])
        return format_html('<span class="m-badge m-badge-green">{}</span>', "well")


def _group(opened: OpenedTrace) -> list[Told]:
    """What was told, layer by layer, in the order of telling."""
    told = (each for each in opened.items if each.was_told)
    tokens = opened.trace.tokens_by_layer
    return [Told(name, tokens.get(name, 0), list(items)) for name, items in groupby(told, key=lambda each: each.layer)]
