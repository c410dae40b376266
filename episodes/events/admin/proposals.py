"""Proposals for events: the list of what waits, each leading to its event, where it is decided."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from episodes.conversations.admin import TENANTS
from episodes.events.models import EventProposal, ProposalState
from tenancy.admin.tenant_filter import PlayerDataAdmin

BADGES = {
    ProposalState.OPEN: "m-badge m-badge-orange",
    ProposalState.ACCEPTED: "m-badge m-badge-green",
    ProposalState.DECLINED: "m-badge m-badge-red",
}


@admin.register(EventProposal)
class EventProposalAdmin(PlayerDataAdmin):
    """Texts of entries that people edited while their events changed, the newest first."""

    list_display = ("show_event", "show_state", "author", "show_text", "created_at")
    list_display_links = None
    list_filter = ("state", TENANTS, ("created_at", admin.DateFieldListFilter))
    list_select_related = ("node",)
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-id",)

    @admin.display(description="Event")
    def show_event(self, row: EventProposal) -> SafeString:
        """Leads to its page."""
        url = reverse("admin:episodes_eventnode_change", args=[row.node_id])
        return format_html('<a class="m-strong-link" href="{}" dir="auto">{}</a>', url, row.node)

    @admin.display(description="State", ordering="state")
    def show_state(self, row: EventProposal) -> SafeString:
        """A badge."""
        badge = BADGES.get(ProposalState(row.state), "m-badge")
        return format_html('<span class="{}">{}</span>', badge, row.state)

    @admin.display(description="Text")
    def show_text(self, row: EventProposal) -> SafeString:
        """Its beginning."""
        return format_html('<span dir="auto">{}</span>', row.after[:160])
