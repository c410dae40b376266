"""The guide for labellers, as it stands in the documents."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from memoryproject.admin.markdown import render_markdown
from memoryproject.admin.pages import show_page
from tenancy.admin.access import may_label

GUIDE = "docs/guides/labelling.md"


@require_GET
def guide_view(request: HttpRequest) -> HttpResponse:
    """What each verdict means, with examples."""
    if not may_label(request):
        raise Http404("There is nothing here.")
    text = (Path(settings.BASE_DIR) / GUIDE).read_text(encoding="utf-8")
    _, _, body = text.partition("\n")
    return show_page(
        request, "labelling_guide.html", "Guide for labellers", html=render_markdown(body, link=lambda _: None)
    )
