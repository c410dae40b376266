"""Addresses of the pages of the second stage inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from factcheck.extraction.admin import candidates, players, run_actions, switch, workbench


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("extraction/runs/<int:run_id>/undo/", run_actions.undo_view, "extraction_undo"),
        ("extraction/runs/<int:run_id>/undo-version/", run_actions.undo_version_view, "extraction_undo_version"),
        ("extraction/runs/<int:run_id>/retry/", run_actions.retry_view, "extraction_retry"),
        ("extraction/candidates/<int:candidate_id>/<slug:verb>/", candidates.decision_view, "candidate_decision"),
        ("extraction/tenants/<int:tenant_id>/", switch.switch_view, "tenant_extraction"),
        ("extraction/workbench/", workbench.workbench_view, "prompt_workbench"),
        ("extraction/workbench/<uuid:trial_id>/", workbench.trial_view, "prompt_trial"),
        ("players/<int:user_id>/extraction/", players.player_extraction_view, "player_extraction"),
        ("players/<int:user_id>/extraction/now/", players.extract_now_view, "player_extract_now"),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
