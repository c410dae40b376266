"""Addresses of the pages of events inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from episodes.events.admin import policies, views


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("events/<uuid:node_id>/<slug:verb>/", views.act_view, "event_act"),
        ("events/proposals/<int:proposal_id>/<slug:verb>/", views.decide_view, "event_proposal_decide"),
        ("event-policies/<int:world_id>/", policies.event_policy_view, "event_policy"),
        ("conversations/<int:conversation_id>/events/", views.timeline_view, "event_timeline"),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
