"""Releases as a plain table; what is done with them is on the release board."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from knowledge.admin.filters import DomainFilter
from knowledge.canon.models import Release
from tenancy.admin.scoping import ReadOnlyAdmin


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
        "published_at",
    )
    list_filter = (DomainFilter, "state", "gate_state")
    list_select_related = ("domain_index__world",)
    search_fields = ("title", "number")

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The board of the release's domain."""
        release = self.get_object(request, object_id)
        if release is None:
            self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        return HttpResponseRedirect(reverse("admin:board", args=[release.domain_index_id]))
