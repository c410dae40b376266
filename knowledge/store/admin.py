"""The list of what agents keep, to read only: items change through the agents' own calls."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from knowledge.store.models import StoreItem
from tenancy.admin.tenant_filter import PlayerDataAdmin

SHOWN_CHARACTERS = 160


@admin.register(StoreItem)
class StoreItemAdmin(PlayerDataAdmin):
    """Items, those written last first."""

    list_name = "items of agents"
    list_display = ("show_place", "show_value", "show_world", "updated_at", "expires_at")
    list_filter = ("space__world",)
    list_select_related = ("space__world",)
    list_per_page = 50
    search_fields = ("=key", "value_text__icontains", "namespace__contains")
    search_help_text = "A key, a label of a namespace, or words of a value"
    ordering = ("-updated_at", "-id")
    fields = (
        "show_place", "show_world", "show_json", "index_fields", "message_id",
        "ttl_minutes", "expires_at", "created_at", "updated_at",
    )  # fmt: skip
    readonly_fields = fields

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[StoreItem], search_term: str
    ) -> tuple[QuerySet[StoreItem], bool]:
        """By key, by label, or by words of the value, whichever fits."""
        term = search_term.strip()
        if not term:
            return queryset, False
        rows = queryset.annotate(value_text=Cast("value", TextField()))
        return rows.filter(key=term) | rows.filter(namespace__contains=[term]) | rows.filter(
            value_text__icontains=term
        ), False

    @admin.display(description="Item", ordering="key")
    def show_place(self, row: StoreItem) -> SafeString:
        """The key, and the namespace below it."""
        return format_html(
            '<span dir="auto">{}</span><div class="m-slug" dir="auto">{}</div>', row.key, " › ".join(row.namespace)
        )

    @admin.display(description="Value")
    def show_value(self, row: StoreItem) -> SafeString:
        """The beginning of the value."""
        text = json.dumps(row.value, ensure_ascii=False)
        shown = text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"
        return format_html('<span dir="auto">{}</span>', shown)

    @admin.display(description="Value")
    def show_json(self, row: StoreItem) -> SafeString:
        """The whole value."""
        return format_html('<pre dir="auto">{}</pre>', json.dumps(row.value, ensure_ascii=False, indent=2))

    @admin.display(description="World", ordering="space__world")
    def show_world(self, row: StoreItem) -> Any:
        """The world whose store it is in."""
        return row.space.world or "–"
