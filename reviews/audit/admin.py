"""The audit log, to read."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from reviews.models import AuditEntry
from tenancy.admin.tenant_filter import ReadOnlyAdmin

MAX_CHOICES = 60


class ActionFilter(admin.SimpleListFilter):
    """What was done."""

    title = "action"
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The actions that occur."""
        rows = model_admin.get_queryset(request).order_by("action").values_list("action", flat=True).distinct()
        return [(action, action.replace("_", " ").replace(".", ": ")) for action in rows[:MAX_CHOICES]]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        """Entries of that action."""
        return queryset.filter(action=self.value()) if self.value() else queryset


@admin.register(AuditEntry)
class AuditAdmin(ReadOnlyAdmin):
    """Who did what to what, why and when."""

    list_display = ("created_at", "actor_label", "show_action", "show_object", "show_states", "show_reason")
    list_display_links = ("created_at",)
    list_filter = (ActionFilter, "object_type", "actor_type", ("created_at", admin.DateFieldListFilter))
    list_per_page = 50
    search_fields = ("object_label", "actor_label", "reason", "object_id")
    search_help_text = "Search by object, person or reason"
    fields = (
        "created_at",
        "action",
        "show_object",
        "before",
        "after",
        "actor_type",
        "actor_label",
        "reason",
        "show_details",
        "show_group",
    )
    readonly_fields = ("show_object", "show_details", "show_group")

    @admin.display(description="Action", ordering="action")
    def show_action(self, row: AuditEntry) -> str:
        """In words."""
        return row.action.partition(".")[2].replace("_", " ")

    @admin.display(description="Object", ordering="object_label")
    def show_object(self, row: AuditEntry) -> SafeString | str:
        """A link to it, where it has a page."""
        words = f"{row.object_type.replace('_', ' ')} {row.object_label}"
        if row.object_type == "change_request" and row.object_id.isdecimal():
            url = reverse("admin:change_request", args=[row.object_id])
            return format_html(
                '<a class="m-strong-link" dir="auto" href="{}">#{} {}</a>', url, row.object_id, row.object_label
            )
        index_id = row.details.get("domain_index")
        if row.object_type == "release" and isinstance(index_id, int):
            url = reverse("admin:board", args=[index_id])
            return format_html('<a class="m-strong-link" href="{}">{}</a>', url, row.object_label)
        return words

    @admin.display(description="From → to")
    def show_states(self, row: AuditEntry) -> str:
        """The state before and after."""
        return f"{row.before or '–'} → {row.after or '–'}" if row.before or row.after else "–"

    @admin.display(description="Why")
    def show_reason(self, row: AuditEntry) -> SafeString:
        """The reason, shortened."""
        return format_html('<span dir="auto">{}</span>', row.reason[:160] or "–")

    @admin.display(description="Details")
    def show_details(self, row: AuditEntry) -> SafeString:
        """All that was noted."""
        text = json.dumps(row.details, ensure_ascii=False, indent=2)
        return format_html('<pre class="m-quote m-small" dir="auto">{}</pre>', text)

    @admin.display(description="Same action")
    def show_group(self, row: AuditEntry) -> SafeString:
        """The other entries of the action."""
        count = AuditEntry.objects.filter(tenant_id=row.tenant_id, group=row.group).count()
        url = f"{reverse('admin:reviews_auditentry_changelist')}?group__exact={row.group}"
        return format_html('<a class="m-strong-link" href="{}">{} entries</a>', url, count)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """The group too, which has no filter of its own."""
        return lookup in {"group", "group__exact"} or super().lookup_allowed(lookup, value, request)
