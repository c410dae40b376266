"""``/``: what this service is, the ways in, and how it is doing. Anonymous, and cheap however often it is asked."""

from __future__ import annotations

import functools
import time

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from knowledge.search.embedding import get_message_embedder
from memoryproject.chat_model import find_chat_model
from memoryproject.health import Check, list_checks
from memoryproject.version import get_version

CHECKS_TTL_SECONDS = 5
"""Counting unapplied migrations takes tens of milliseconds: strangers must not be able to ask for it at will."""


@require_safe
def show_landing(request: HttpRequest) -> HttpResponse:
    """The start page. It needs neither session nor database to be rendered, so it can say that they are away."""
    checks = _list_recent_checks(int(time.monotonic() // CHECKS_TTL_SECONDS))
    context = {
        "checks": checks,
        "is_ready": all(check.ok for check in checks if check.is_needed),
        "missing": [check.name for check in checks if not check.ok and not check.is_needed],
        "is_semantic": get_message_embedder().is_semantic,
        "has_chat_model": find_chat_model() is not None,
        "mcp_url": request.build_absolute_uri("/mcp"),
        "version": get_version(),
    }
    return HttpResponse(render_to_string("memory37/landing.html", context), headers={"Cache-Control": "no-store"})


@functools.lru_cache(maxsize=1)
def _list_recent_checks(period: int) -> tuple[Check, ...]:
    return tuple(list_checks())
