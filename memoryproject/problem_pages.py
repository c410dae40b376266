"""`/problems/`: what each code of an error means. Anonymous and static: it reads neither session nor database."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from memoryproject.problem_catalog import load_catalog

CACHE_HEADERS = {"Cache-Control": "public, max-age=3600"}


@require_safe
def show_problems(request: HttpRequest) -> HttpResponse:
    """All codes."""
    context = {"entries": load_catalog().values()}
    return HttpResponse(render_to_string("memory37/problems.html", context), headers=CACHE_HEADERS)


@require_safe
def show_problem(request: HttpRequest, code: str) -> HttpResponse:
    """One code. Raises Http404."""
    entry = load_catalog().get(code)
    if entry is None:
        raise Http404("There is no such code.")
    return HttpResponse(render_to_string("memory37/problem.html", {"entry": entry}), headers=CACHE_HEADERS)
