"""Addresses of the pages of the runtime inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from runtime.admin import prompts


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own door."""
    return [path("prompts/", site.admin_view(prompts.prompts_view), name="prompts")]
