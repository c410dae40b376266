"""Events: a list, and each one with where it came from and what can be done about it. For those who may see players."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from episodes.conversations.admin import TENANTS, link_player
from episodes.events.actions.decisions import AGAIN_STATES
from episodes.events.models import SHOWN_STATES, EventNode, EventState, ProposalState
from memoryproject.admin.pages import show_page
from tenancy.admin.tenant_filter import PlayerDataAdmin

BADGES = {
    EventState.ARCHIVED: "m-badge m-badge-green",
    EventState.BUFFER: "m-badge m-badge-blue",
    EventState.FAILED: "m-badge m-badge-red",
    EventState.STALE: "m-badge m-badge-orange",
}


@admin.register(EventNode)
class EventNodeAdmin(PlayerDataAdmin):
    """Events, newest first, each leading to its page."""

    list_display = ("show_event", "show_state", "show_player", "show_range", "proposer", "cost_usd", "show_error")
    list_display_links = None
    list_filter = ("state", TENANTS, "proposer", "is_hidden", ("created_at", admin.DateFieldListFilter))
    list_select_related = ("end_user", "conversation")
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("=end_user__external_id", "title")
    search_help_text = "A player's id, or words of a title"
    ordering = ("-created_at",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Without answers that wait."""
        return super().get_queryset(request).defer("answer_sealed", "raw_data")

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """One event."""
        node = self.get_object(request, object_id)
        if node is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        return show_page(
            request,
            "event.html",
            str(node),
            node=node,
            plot=node.read_plot(),
            edits=list(node.edits.all()),
            proposal=node.proposals.filter(state=ProposalState.OPEN).first(),
            may_retry=node.state in AGAIN_STATES or (node.state == EventState.PENDING and node.wait_until is not None),
            may_archive=node.state == EventState.BUFFER,
            may_propose=node.state == EventState.ARCHIVED and not node.is_hidden and node.world_id is not None,
            may_hide=node.state in SHOWN_STATES,
            badge=get_badge(node.state),
        )

    @admin.display(description="Event", ordering="created_at")
    def show_event(self, row: EventNode) -> SafeString:
        """Leads to its page."""
        url = reverse("admin:episodes_eventnode_change", args=[row.pk])
        time = timezone.localtime(row.created_at).strftime("%-d %b %Y, %H:%M")
        name = row.title or f"Messages {row.first_seq}–{row.last_seq}"
        return format_html(
            '<a class="m-strong-link" href="{}" dir="auto">{}</a><div class="m-slug">{}</div>', url, name, time
        )

    @admin.display(description="State", ordering="state")
    def show_state(self, row: EventNode) -> SafeString:
        """A badge; hidden ones say so."""
        word = "hidden" if row.is_hidden else row.state
        return format_html('<span class="{}">{}</span>', get_badge(row.state), word)

    @admin.display(description="Player")
    def show_player(self, row: EventNode) -> SafeString:
        """Whose talk it is of."""
        return link_player(row.end_user)

    @admin.display(description="Messages")
    def show_range(self, row: EventNode) -> SafeString:
        """Leads to the conversation's time line."""
        url = reverse("admin:event_timeline", args=[row.conversation_id])
        return format_html('<a href="{}">{}–{}</a>', url, row.first_seq, row.last_seq)

    @admin.display(description="Error", ordering="error_code")
    def show_error(self, row: EventNode) -> str:
        """Why it failed, in a word."""
        return row.error_code.replace("_", " ")


def get_badge(state: str) -> str:
    """The class of a state's badge."""
    return BADGES.get(EventState(state), "m-badge")
