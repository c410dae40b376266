"""Releases as a plain table; what is done with them is on the release board."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.safestring import SafeString

from knowledge.admin.filters import DomainFilter
from knowledge.canon.models import Release
from knowledge.canon.period_html import format_live_periods
from tenancy.admin.tenant_filter import ReadOnlyAdmin


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    """All releases of the person's worlds, failed and discarded ones too."""

    list_display = (
        "number",
        "domain_index",
        "state",
        "gate_state",
        "title",
        "document_count",
        "passage_count",
        "staged_at",
        "show_live",
    )
    list_filter = (DomainFilter, "state", "gate_state")
    list_select_related = ("domain_index__world",)
    search_fields = ("title", "number")

    def get_queryset(self, request: HttpRequest) -> Any:
        """Releases with the stretches in which they were live."""
        return super().get_queryset(request).prefetch_related("live_periods")

    @admin.display(description="Live", ordering="published_at")
    def show_live(self, row: Release) -> SafeString | str:
        """Since when and until when, and whether a rollback ended it."""
        return format_live_periods(row.live_periods.all()) or "–"

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The board of the release's domain."""
        release = self.get_object(request, object_id)
        if release is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        return HttpResponseRedirect(reverse("admin:board", args=[release.domain_index_id]))
