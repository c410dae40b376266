"""Addresses of the pages of NPCs inside the admin site; an NPC's own page is in episodes, which know the scenes."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from npcs.dispositions import admin as dispositions
from npcs.profiles.admin import versions as profiles


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("npcs/scales/<int:world_id>/", dispositions.scale_view, "npc_scale"),
        ("npcs/<int:npc_pk>/versions/<int:version>/", profiles.version_view, "npc_version"),
        ("npcs/<int:npc_pk>/moves/<int:entry_id>/take-back/", dispositions.take_back_view, "take_back_move"),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
