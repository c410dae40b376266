"""Change requests: the queue, the page on which one is read, and what may be done with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from knowledge.admin.filters import DomainFilter
from memoryproject.admin.flash import flash_error
from memoryproject.admin.pages import show_page
from memoryproject.admin.row_versions import FieldConflict
from memoryproject.errors import DomainError
from reviews.admin.common import get_actor
from reviews.change_requests.actions.drafts import get_details_version, remove_item, update_details
from reviews.change_requests.actions.rebase import rebase_item
from reviews.change_requests.actions.review import (
    add_comment,
    approve_change_request,
    claim_review,
    reject_change_request,
    release_claim,
    reopen_change_request,
    request_changes,
    submit_change_request,
    withdraw_change_request,
)
from reviews.change_requests.actions.transitions import is_author
from reviews.change_requests.admin.changes import DONE_STATES, describe_items
from reviews.change_requests.models.changes import EDITABLE_STATES
from reviews.change_requests.selectors.items import get_items_hash
from reviews.core.actor import Actor
from reviews.core.permissions import has_role, may
from reviews.errors import DetailsChanged
from reviews.models import AuditEntry, ChangeItem, ChangeKind, ChangeRequest, ChangeState
from reviews.npcs.actions.changes import remove_npc_item
from reviews.npcs.admin.items import describe_npc_items
from reviews.templatetags.memory37 import STATE_BADGES
from tenancy.admin.access import get_or_404
from tenancy.admin.tenant_filter import ReadOnlyAdmin

WAITING = (
    ChangeState.DRAFT,
    ChangeState.IN_REVIEW,
    ChangeState.NEEDS_CHANGES,
    ChangeState.APPROVED,
    ChangeState.STAGED,
)


LIVE_MOVES = ("change_request.went_live", "change_request.restored", "change_request.rolled_back")


class DetailsForm(forms.Form):
    """Title, description and due date of a draft."""

    title = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"dir": "auto"}))
    description = forms.CharField(
        required=False, max_length=20_000, widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"})
    )
    due_on = forms.DateField(
        required=False, label="Due on", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


class StateFilter(admin.SimpleListFilter):
    """State, and the groups of states that people ask for."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Open ones first."""
        return [("open", "Open (not live, not closed)"), *ChangeState.choices]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Requests in that state."""
        value = self.value()
        if value == "open":
            return queryset.filter(state__in=WAITING)
        return queryset.filter(state=value) if value else queryset


class MineFilter(admin.SimpleListFilter):
    """Whose they are."""

    title = "mine"
    parameter_name = "mine"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Three ways to be concerned."""
        return [("author", "Written by me"), ("reviewer", "Claimed by me"), ("free", "In review, claimed by nobody")]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Requests that concern the person."""
        if self.value() == "author":
            return queryset.filter(author_id=request.user.pk)
        if self.value() == "reviewer":
            return queryset.filter(reviewer_id=request.user.pk)
        if self.value() == "free":
            return queryset.filter(state=ChangeState.IN_REVIEW, reviewer__isnull=True)
        return queryset


@admin.register(ChangeRequest)
class ChangeRequestAdmin(ReadOnlyAdmin):
    """The queue. Rows lead to the request's own page; nothing is changed here."""

    list_display = ("show_title", "show_state", "domain_index", "show_author", "reviewer", "show_due", "updated_at")
    list_display_links = None
    list_filter = (StateFilter, MineFilter, DomainFilter)
    list_select_related = ("domain_index__world", "author", "author_key", "reviewer")
    list_per_page = 50
    search_fields = ("title", "description", "items__slug", "author__username")
    search_help_text = "Search by title, description, article or author"

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The request's own page."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        return HttpResponseRedirect(reverse("admin:change_request", args=[row.pk]))

    @admin.display(description="Request", ordering="id")
    def show_title(self, row: ChangeRequest) -> SafeString:
        """Number and title."""
        url = reverse("admin:change_request", args=[row.pk])
        return format_html('<a class="m-strong-link" dir="auto" href="{}">#{} {}</a>', url, row.pk, row.title)

    @admin.display(description="State", ordering="state")
    def show_state(self, row: ChangeRequest) -> SafeString:
        """A coloured word."""
        badge = STATE_BADGES.get(row.state, "")
        return format_html('<span class="m-badge m-badge-{}">{}</span>', badge, row.get_state_display())

    @admin.display(description="Author", ordering="author")
    def show_author(self, row: ChangeRequest) -> str:
        """A person, or a machine's key."""
        return str(row.author or row.author_key)

    @admin.display(description="Due", ordering="due_on")
    def show_due(self, row: ChangeRequest) -> SafeString | str:
        """The due date, marked once it is past."""
        if row.due_on is None:
            return "–"
        if row.due_on < timezone.localdate() and row.state in WAITING:
            return format_html('<span class="m-badge m-badge-red">{}</span>', row.due_on.isoformat())
        return row.due_on.isoformat()


def change_request_view(request: HttpRequest, request_id: int) -> HttpResponse:
    """The request with everything that a verdict needs."""
    return _show_request(request, _get_request(request, request_id))


def _show_request(request: HttpRequest, row: ChangeRequest, *, conflict: DetailsForm | None = None) -> HttpResponse:
    """The page; with `conflict` what the writer typed into the details, beside what stands."""
    actor = get_actor(request, row.tenant_id)
    items = list(row.items.select_related("base_revision").order_by("id"))
    comments = list(row.comments.select_related("author").order_by("id"))
    views = describe_items(row.state, row.domain_index_id, items, comments)
    npc_views = describe_npc_items(row) if row.kind == ChangeKind.NPC else []
    stands = {"title": row.title, "description": row.description, "due_on": row.due_on}
    details = conflict or DetailsForm(initial=stands)
    timeline = AuditEntry.objects.filter(
        tenant_id=row.tenant_id, object_type="change_request", object_id=str(row.pk)
    ).order_by("id")
    return show_page(
        request,
        "change_request.html",
        f"#{row.pk} {row.title}",
        row=row,
        items=views,
        npc_items=npc_views,
        stale=[*(view for view in views if view.stale), *(view for view in npc_views if view.stale)],
        comments=[comment for comment in comments if comment.item_id is None],
        items_hash=get_items_hash(row),
        timeline=timeline[:300],
        last_move=timeline.filter(action__in=LIVE_MOVES).last() if row.state in DONE_STATES else None,
        details=details,
        details_version=get_details_version(row),
        details_conflicts=compare_details(stands, conflict) if conflict else None,
        can=_list_possible(actor, row),
        mine=is_author(actor, row),
        actor=actor,
    )


@require_POST
def change_request_action_view(request: HttpRequest, request_id: int, verb: str) -> HttpResponse:
    """Does one thing with the request, then shows it again with a word on what happened."""
    row = _get_request(request, request_id)
    perform = VERBS.get(verb)
    if perform is None:
        raise Http404
    actor = get_actor(request, row.tenant_id)
    try:
        messages.success(request, perform(actor, row.pk, request))
    except DetailsChanged:
        return _show_request(request, _get_request(request, row.pk), conflict=DetailsForm(request.POST))
    except DomainError as error:
        flash_error(request, error)
    return HttpResponseRedirect(reverse("admin:change_request", args=[row.pk]))


def compare_details(stands: dict[str, Any], typed: DetailsForm) -> list[FieldConflict]:
    """What the details say now, and what the writer would make of them."""
    typed.is_valid()
    pairs = {name: (str(stands[name] or ""), str(typed.cleaned_data.get(name) or "")) for name in stands}
    labels = {name: str(typed.fields[name].label or name.capitalize()) for name in stands}
    return [FieldConflict(labels[name], *pair) for name, pair in pairs.items() if pair[0] != pair[1]]


def _get_request(request: HttpRequest, request_id: int) -> ChangeRequest:
    rows = ChangeRequest.objects.select_related(
        "domain_index__world", "author", "author_key", "reviewer", "approved_by", "release"
    )
    row: ChangeRequest = get_or_404(rows, request.user, pk=request_id)
    return row


def _list_possible(actor: Actor, row: ChangeRequest) -> dict[str, bool]:
    """What the page offers. The actions decide for themselves; this only spares people dead buttons."""
    mine = is_author(actor, row)
    state = row.state
    in_review = state == ChangeState.IN_REVIEW
    return {
        "edit": may(actor, "edit") and mine and state in EDITABLE_STATES,
        "submit": may(actor, "submit") and mine and state in EDITABLE_STATES,
        "comment": may(actor, "comment"),
        "claim": may(actor, "claim") and in_review and not mine and row.reviewer_id != actor.user_id,
        "release": may(actor, "claim") and in_review and row.reviewer_id == actor.user_id,
        "judge": may(actor, "approve") and in_review,
        "approve": may(actor, "approve") and in_review and not mine,
        "request_changes": may(actor, "request_changes") and (in_review or state == ChangeState.APPROVED),
        "reject": may(actor, "reject") and in_review,
        "withdraw": may(actor, "withdraw")
        and (mine or has_role(actor, "owner"))
        and state in (*EDITABLE_STATES, ChangeState.IN_REVIEW, ChangeState.APPROVED, ChangeState.ROLLED_BACK),
        "reopen": may(actor, "reopen") and state == ChangeState.ROLLED_BACK and (mine or has_role(actor, "reviewer")),
        "stage": may(actor, "stage") and state == ChangeState.APPROVED,
    }


def _submit(actor: Actor, pk: int, request: HttpRequest) -> str:
    submit_change_request(actor=actor, change_request_id=pk)
    return "Submitted. A reviewer other than you can take it now."


def _claim(actor: Actor, pk: int, request: HttpRequest) -> str:
    claim_review(actor=actor, change_request_id=pk, take_over=bool(request.POST.get("take_over")))
    return "The review is yours."


def _release(actor: Actor, pk: int, request: HttpRequest) -> str:
    release_claim(actor=actor, change_request_id=pk)
    return "The review is free again."


def _comment(actor: Actor, pk: int, request: HttpRequest) -> str:
    item_id = request.POST.get("item", "")
    add_comment(
        actor=actor,
        change_request_id=pk,
        text=request.POST.get("text", ""),
        item_id=int(item_id) if item_id.isdecimal() else None,
    )
    return "Comment added."


def _approve(actor: Actor, pk: int, request: HttpRequest) -> str:
    approve_change_request(
        actor=actor,
        change_request_id=pk,
        expected_items_hash=request.POST.get("items_hash", ""),
        comment=request.POST.get("reason", ""),
    )
    if ChangeRequest.objects.filter(pk=pk, kind=ChangeKind.NPC).exists():
        return "Approved, and in force: NPCs need no release."
    return "Approved. It waits on the release board to be staged."


def _request_changes(actor: Actor, pk: int, request: HttpRequest) -> str:
    request_changes(actor=actor, change_request_id=pk, reason=request.POST.get("reason", ""))
    return "Sent back to its author with your reason."


def _reject(actor: Actor, pk: int, request: HttpRequest) -> str:
    reject_change_request(actor=actor, change_request_id=pk, reason=request.POST.get("reason", ""))
    return "Rejected."


def _withdraw(actor: Actor, pk: int, request: HttpRequest) -> str:
    withdraw_change_request(actor=actor, change_request_id=pk, reason=request.POST.get("reason", ""))
    return "Withdrawn."


def _reopen(actor: Actor, pk: int, request: HttpRequest) -> str:
    reopen_change_request(actor=actor, change_request_id=pk, reason=request.POST.get("reason", ""))
    return "Open to changes again."


def _details(actor: Actor, pk: int, request: HttpRequest) -> str:
    form = DetailsForm(request.POST)
    if not form.is_valid():
        name, problems = next(iter(form.errors.items()))
        raise DomainError(f"{name}: {problems[0]}")
    seen = request.POST.get("onto") or request.POST.get("version", "")
    update_details(actor=actor, change_request_id=pk, expected_version=seen, **form.cleaned_data)
    return "Saved."


def _remove(actor: Actor, pk: int, request: HttpRequest) -> str:
    remove_item(actor=actor, change_request_id=pk, item_id=_read_item_id(request))
    return "The item is out of the request."


def _remove_npc(actor: Actor, pk: int, request: HttpRequest) -> str:
    text = request.POST.get("item", "")
    if not text.isdecimal():
        raise Http404
    remove_npc_item(actor=actor, change_request_id=pk, item_id=int(text[:18]))
    return "The NPC is out of the request."


def _rebase(actor: Actor, pk: int, request: HttpRequest) -> str:
    rebase = rebase_item(actor=actor, change_request_id=pk, item_id=_read_item_id(request))
    if not rebase.moved:
        return "The item stands on the live text already."
    if rebase.merged:
        return "Rebased: what changed meanwhile is in, and so is your edit. Read the difference once more."
    messages.warning(
        request,
        f"Both sides changed {', '.join(rebase.conflicts)}. Your words stand; read what they would undo.",
    )
    return "Rebased on the live text."


def _read_item_id(request: HttpRequest) -> int:
    text = request.POST.get("item", "")
    if not text.isdecimal() or not ChangeItem.objects.filter(pk=int(text[:18])).exists():
        raise Http404
    return int(text)


VERBS: dict[str, Callable[[Actor, int, HttpRequest], str]] = {
    "submit": _submit,
    "claim": _claim,
    "release-claim": _release,
    "comment": _comment,
    "approve": _approve,
    "request-changes": _request_changes,
    "reject": _reject,
    "withdraw": _withdraw,
    "reopen": _reopen,
    "details": _details,
    "remove-item": _remove,
    "rebase-item": _rebase,
    "remove-npc": _remove_npc,
}
