"""Addresses of the pages of notebooks inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from knowledge.notebook.admin import views


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("notebooks/<int:notebook_id>/entries/<int:entry_id>/", views.entry_view, "notebook_entry"),
        ("notebooks/<int:notebook_id>/<slug:verb>/", views.act_view, "notebook_act"),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
