"""Addresses of the quality page inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from reviews.quality.admin import page


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("quality/", page.quality_view, "quality"),
        ("quality/<int:tenant_id>/", page.quality_of_tenant_view, "quality_of_tenant"),
        ("quality/<int:tenant_id>/pause/", page.pause_extraction_view, "pause_extraction"),
        ("quality/<int:tenant_id>/<slug:key>.csv", page.quality_csv_view, "quality_csv"),
        ("quality/breakers/<int:event_id>/resume/", page.resume_extraction_view, "resume_extraction"),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
