"""The list of NPCs; each leads to its page."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from npcs.models import Npc, NpcPersona, NpcState
from tenancy.admin.tenant_filter import ReadOnlyAdmin


@admin.register(Npc)
class NpcAdmin(ReadOnlyAdmin):
    """NPCs of one's own tenants. They are written by the form of their page, each change a version."""

    list_name = "NPCs"
    list_before_template = "memory37/npc_actions.html"
    list_display = ("show_name", "world", "show_archetype", "show_state", "persona_version", "show_changed_at")
    list_display_links = None
    list_filter = ("state", ("world", admin.RelatedOnlyFieldListFilter), ("tenant", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("world", "tenant")
    list_per_page = 50
    search_fields = ("npc_id", "current_name")
    search_help_text = "Search by id or name"
    ordering = ("npc_id", "pk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Npc]:
        """NPCs with what the list tells of their newest persona."""
        newest = NpcPersona.objects.filter(npc=OuterRef("pk"), version=OuterRef("persona_version"))
        rows: QuerySet[Npc] = super().get_queryset(request)
        return rows.annotate(
            current_name=Subquery(newest.values("name")[:1]),
            current_archetype=Subquery(newest.values("archetype")[:1]),
            changed_at=Subquery(newest.values("created_at")[:1]),
        ).filter(persona_version__gt=0)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The NPC's own page."""
        npc = self.get_object(request, object_id)
        if npc is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        return HttpResponseRedirect(reverse("admin:npc", args=[npc.pk]))

    def history_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The NPC's own page: its versions are there."""
        return self.change_view(request, object_id)

    @admin.display(description="NPC", ordering=F("current_name"))
    def show_name(self, row: Any) -> SafeString:
        """Name and id, leading to the page."""
        return format_html(
            '<a class="m-strong-link" href="{}" dir="auto">{}</a><div class="m-slug">{}</div>',
            reverse("admin:npc", args=[row.pk]),
            row.current_name,
            row.npc_id,
        )

    @admin.display(description="Archetype", ordering=F("current_archetype"))
    def show_archetype(self, row: Any) -> str:
        """What kind of figure it is."""
        return str(row.current_archetype or "–")

    @admin.display(description="State", ordering="state")
    def show_state(self, row: Npc) -> SafeString:
        """A badge."""
        badge = "m-badge-green" if row.state == NpcState.ACTIVE else ""
        return format_html('<span class="m-badge {}">{}</span>', badge, row.state)

    @admin.display(description="Changed", ordering=F("changed_at"))
    def show_changed_at(self, row: Any) -> Any:
        """When its newest persona was written."""
        return row.changed_at
