"""Campaigns: a list, and each one as it went. Play is told by the engine; here it is read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from episodes.campaigns.selectors.flags import list_flags
from episodes.campaigns.selectors.policies import get_summary_ttl_days
from episodes.campaigns.selectors.timeline import list_timeline
from episodes.models import Campaign, CampaignState, WorldPlayPolicy
from episodes.rollback.selectors import list_checkpoints, list_rollbacks
from episodes.sharing.selectors import list_hearsay
from knowledge.canon.core.names import storable_text
from memoryproject.rest.parameters import WHOLE_NUMBER
from tenancy.admin.access import has_role
from tenancy.admin.tenant_filter import ReadOnlyAdmin
from tenancy.models import Role

PAGE_ENTRIES = 100
CHECKPOINTS_SHOWN = 20
ROLLBACKS_SHOWN = 10
SHARES_SHOWN = 30
BADGES = {
    CampaignState.ACTIVE: "m-badge-green",
    CampaignState.FINISHED: "m-badge-blue",
    CampaignState.ARCHIVED: "",
}


@admin.register(Campaign)
class CampaignAdmin(ReadOnlyAdmin):
    """Campaigns, each leading to its timeline."""

    list_display = ("show_title", "world", "show_state", "show_entries", "created_at")
    list_display_links = None
    list_filter = ("state", ("created_at", admin.DateFieldListFilter))
    list_select_related = ("world",)
    list_per_page = 50
    search_fields = ("external_id", "title", "parties__external_id")
    search_help_text = "Search by id, title or party"
    ordering = ("-id",)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The campaign as it went: flags as they are, then entries, newest first."""
        campaign = self.get_object(request, object_id)
        if campaign is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        asked = request.GET.get("before", "")
        before = int(asked) if WHOLE_NUMBER.fullmatch(asked) else None
        entries = list_timeline(campaign, before=before, limit=PAGE_ENTRIES + 1)
        place = {
            "tenant_id": campaign.tenant_id,
            "world_id": campaign.world_id,
            "campaign_id": campaign.external_id,
        }
        page = list_flags(**place, after=storable_text(request.GET.get("flags_after", "")))
        request.current_app = admin.site.name
        context = {
            **admin.site.each_context(request),
            "title": str(campaign),
            "campaign": campaign,
            "badge": BADGES[CampaignState(campaign.state)],
            "flags": page.flags,
            "flags_after": page.next_after,
            "entries": entries[:PAGE_ENTRIES],
            "summary_ttl_days": get_summary_ttl_days(tenant_id=campaign.tenant_id, world_id=campaign.world_id),
            "checkpoints": list_checkpoints(**place, limit=CHECKPOINTS_SHOWN),
            "rollbacks": list_rollbacks(**place, limit=ROLLBACKS_SHOWN),
            "hearsay": list_hearsay(**place, shared=True, limit=SHARES_SHOWN).rows,
            "may_roll_back": has_role(request.user, campaign.tenant_id, Role.REVIEWER),
            "may_own": has_role(request.user, campaign.tenant_id, Role.OWNER),
            "next_before": entries[PAGE_ENTRIES - 1].seq if len(entries) > PAGE_ENTRIES else None,
        }
        return TemplateResponse(request, "memory37/campaign.html", context)

    @admin.display(description="Campaign", ordering="title")
    def show_title(self, row: Campaign) -> SafeString:
        """Title and id, leading to the timeline."""
        return format_html(
            '<a class="m-strong-link" href="{}" dir="auto">{}</a><div class="m-slug">{}</div>',
            reverse("admin:episodes_campaign_change", args=[row.pk]),
            row.title or row.external_id,
            row.external_id,
        )

    @admin.display(description="State", ordering="state")
    def show_state(self, row: Campaign) -> SafeString:
        """A badge."""
        return format_html('<span class="m-badge {}">{}</span>', BADGES[CampaignState(row.state)], row.state)

    @admin.display(description="Entries", ordering="last_seq")
    def show_entries(self, row: Campaign) -> int:
        """Summaries and events together."""
        return row.last_seq


@admin.register(WorldPlayPolicy)
class PlayPolicyAdmin(ReadOnlyAdmin):
    """For how long worlds remember play."""

    list_display = ("world", "summary_ttl_days")
    list_select_related = ("world",)
