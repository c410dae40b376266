"""Addresses of the pages of the runtime inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from runtime.context import admin as prompts
from runtime.session_memory import admin as sessions


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("prompts/", prompts.prompts_view, "prompts"),
        ("session-memory/", sessions.sessions_view, "session_memory"),
        ("session-memory/drop/", sessions.preference_drop_view, "session_preference_drop"),
        ("session-memory/clear/", sessions.session_clear_view, "session_memory_clear"),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
