"""The layout of our own pages inside the admin site."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse


def show_page(request: HttpRequest, template: str, title: str, *, status: int = 200, **context: Any) -> HttpResponse:
    """A page of ours inside the admin site's layout."""
    request.current_app = admin.site.name
    page_context = {**admin.site.each_context(request), "title": title, **context}
    return TemplateResponse(request, f"memory37/{template}", page_context, status=status)
