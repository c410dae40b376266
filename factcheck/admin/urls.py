"""Addresses of our pages inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from factcheck.patterns.admin import try_patterns


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    return [path("patterns/try/", site.admin_view(try_patterns.try_patterns_view), name="try_patterns")]
