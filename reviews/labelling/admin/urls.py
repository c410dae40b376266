"""Addresses of the labelling pages inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from reviews.labelling.admin import golden_cases, guide, screen


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("labelling/", screen.home_view, "labelling_home"),
        ("labelling/guide/", guide.guide_view, "labelling_guide"),
        ("labelling/<int:tenant_id>/", screen.item_view, "labelling"),
        ("labelling/<int:tenant_id>/label/", screen.label_view, "labelling_label"),
        ("labelling/<int:tenant_id>/undo/", screen.undo_view, "labelling_undo"),
        ("labelling/<int:tenant_id>/skip/", screen.skip_view, "labelling_skip"),
        ("labelling/<int:tenant_id>/keep/", screen.keep_view, "labelling_keep"),
        ("labelling/<int:tenant_id>/languages/", screen.languages_view, "labelling_languages"),
        ("labelling/<int:tenant_id>/labels/<int:label_id>/end/", screen.end_fact_view, "labelling_end_fact"),
        ("labelling/<int:tenant_id>/labels/<int:label_id>/case/", golden_cases.make_case_view, "labelling_make_case"),
        ("labelling/<int:tenant_id>/cases/", golden_cases.cases_view, "labelling_cases"),
        ("labelling/<int:tenant_id>/cases.jsonl", golden_cases.export_view, "labelling_export_cases"),
        (
            "labelling/<int:tenant_id>/cases/<int:case_id>/forget/",
            golden_cases.forget_case_view,
            "labelling_forget_case",
        ),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
