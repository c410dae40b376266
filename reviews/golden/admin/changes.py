"""Changes of golden queries: the list, and the page on which a second person decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from knowledge.admin.filters import DomainFilter
from memoryproject.admin.flash import flash_outcome
from memoryproject.admin.pages import show_page
from reviews.admin.common import get_actor
from reviews.core.actor import Actor
from reviews.core.permissions import may
from reviews.golden.actions.changes import approve_golden_change, reject_golden_change, withdraw_golden_change
from reviews.golden.core.queries import COLUMNS
from reviews.models import GoldenChange, GoldenChangeState
from reviews.templatetags.memory37 import STATE_BADGES
from tenancy.admin.access import get_or_404
from tenancy.admin.tenant_filter import ReadOnlyAdmin

LABELS = {
    "query": "Query",
    "language": "Language",
    "must_hit": "Must hit",
    "must_not_hit": "Must not hit",
    "relevant": "Relevant",
    "k": "First k",
    "npc_id": "As NPC",
    "tags": "Tags",
    "note": "Note",
    "active": "Active",
}


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """One column of a query, before and after."""

    label: str
    before: str
    after: str
    has_changed: bool


@admin.register(GoldenChange)
class GoldenChangeAdmin(ReadOnlyAdmin):
    """All changes with their reasons; each leads to its own page."""

    list_name = "Golden changes"
    list_display = ("show_key", "operation", "show_state", "domain_index", "author_label", "decided_by", "created_at")
    list_display_links = None
    list_filter = ("state", DomainFilter)
    list_select_related = ("domain_index__world", "decided_by")
    list_per_page = 50
    search_fields = ("key", "reason")

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The change's own page."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        return HttpResponseRedirect(reverse("admin:golden_change", args=[row.pk]))

    @admin.display(description="Query", ordering="key")
    def show_key(self, row: GoldenChange) -> SafeString:
        """Its id, leading to the page, over the reason."""
        return format_html(
            '<a class="m-strong-link" href="{}">{}</a><div class="m-subtle m-small" dir="auto">{}</div>',
            reverse("admin:golden_change", args=[row.pk]),
            row.key,
            row.reason[:160],
        )

    @admin.display(description="State", ordering="state")
    def show_state(self, row: GoldenChange) -> SafeString:
        """A coloured word."""
        badge = STATE_BADGES.get(row.state, "")
        return format_html('<span class="m-badge m-badge-{}">{}</span>', badge, row.get_state_display())


def golden_change_view(request: HttpRequest, change_id: int) -> HttpResponse:
    """What the query is and would be, why, and who agrees."""
    change = _get_change(request, change_id)
    actor = get_actor(request, change.tenant_id)
    is_mine = change.author_id is not None and change.author_id == actor.user_id
    is_open = change.state == GoldenChangeState.PROPOSED
    return show_page(
        request,
        "golden_change.html",
        f"{change.get_operation_display()} golden query {change.key}",
        change=change,
        rows=list_columns(change),
        is_mine=is_mine,
        can_decide=is_open and not is_mine and may(actor, "approve_golden"),
        can_withdraw=is_open and is_mine,
    )


@require_POST
def golden_change_action_view(request: HttpRequest, change_id: int, verb: str) -> HttpResponse:
    """Does one thing with the change, then shows it again with a word on what happened."""
    change = _get_change(request, change_id)
    perform = VERBS.get(verb)
    if perform is None:
        raise Http404
    flash_outcome(request, lambda: perform(get_actor(request, change.tenant_id), change.pk, request))
    return HttpResponseRedirect(reverse("admin:golden_change", args=[change.pk]))


def list_columns(change: GoldenChange) -> list[ColumnRow]:
    """The columns of the query, before and after; of a deletion, before only."""
    after = change.after or {}
    return [
        ColumnRow(
            LABELS[name],
            _say(change.before.get(name)),
            _say(after.get(name)),
            change.after is not None and change.before.get(name) != after.get(name),
        )
        for name in COLUMNS
    ]


def _say(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return "" if value is None else str(value)


def _get_change(request: HttpRequest, change_id: int) -> GoldenChange:
    rows = GoldenChange.objects.select_related("domain_index__world", "author", "decided_by")
    change: GoldenChange = get_or_404(rows, request.user, pk=change_id)
    return change


def _approve(actor: Actor, pk: int, request: HttpRequest) -> str:
    approve_golden_change(actor=actor, change_id=pk, comment=request.POST.get("reason", ""))
    return "Agreed: the change is in force. Ask the golden queries of the stage again."


def _reject(actor: Actor, pk: int, request: HttpRequest) -> str:
    reject_golden_change(actor=actor, change_id=pk, reason=request.POST.get("reason", ""))
    return "Rejected. The query stays as it is."


def _withdraw(actor: Actor, pk: int, request: HttpRequest) -> str:
    withdraw_golden_change(actor=actor, change_id=pk)
    return "Withdrawn. The query stays as it is."


VERBS: dict[str, Callable[[Actor, int, HttpRequest], str]] = {
    "approve": _approve,
    "reject": _reject,
    "withdraw": _withdraw,
}
