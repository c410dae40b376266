"""Addresses of the pages of threads inside the admin site."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, path

from episodes.threads.admin import views


def build_urls(site: Any) -> list[URLPattern]:
    """All pages, each behind the site's own sign-in."""
    pages = [
        ("interrupts/<int:interrupt_id>/answer/", views.answer_view, "interrupt_answer"),
        ("threads/<int:thread_id>/delete/", views.delete_view, "thread_delete"),
        ("threads/<int:thread_id>/rollback/", views.rollback_view, "thread_rollback"),
    ]
    return [path(route, site.admin_view(view), name=name) for route, view, name in pages]
