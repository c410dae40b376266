"""``/``: what this service is, the ways in, and how it is doing. Anonymous, and cheap however often it is asked."""

from __future__ import annotations

import functools
import math
import time
from dataclasses import dataclass

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from knowledge.search.embedding import get_message_embedder
from knowledge.search.embedding_rate import estimate_seconds
from memoryproject.chat_model import find_chat_model
from memoryproject.health import Check, list_checks
from memoryproject.version import get_version
from runtime.status.selectors import count_all_pending

CHECKS_TTL_SECONDS = 5
"""Counting unapplied migrations takes tens of milliseconds: strangers must not be able to ask for it at will."""


@require_safe
def show_landing(request: HttpRequest) -> HttpResponse:
    """The start page. It needs neither session nor database to be rendered, so it can say that they are away."""
    period = int(time.monotonic() // CHECKS_TTL_SECONDS)
    checks = _list_recent_checks(period)
    is_ready = all(check.ok for check in checks if check.is_needed)
    context = {
        "checks": checks,
        "is_ready": is_ready,
        "missing": [check.name for check in checks if not check.ok and not check.is_needed],
        "embedder": get_message_embedder(),
        "backlog": _describe_recent_backlog(period) if is_ready else None,
        "has_chat_model": find_chat_model() is not None,
        "mcp_url": request.build_absolute_uri("/mcp"),
        "version": get_version(),
    }
    return HttpResponse(render_to_string("memory37/landing.html", context), headers={"Cache-Control": "no-store"})


@dataclass(frozen=True, slots=True)
class Backlog:
    """Texts that wait for a vector, and how long they will take; None while that is not known."""

    pending: int
    minutes_left: int | None


def describe_backlog() -> Backlog | None:
    """All that waits in this installation; None where nothing does, or the database does not say."""
    try:
        pending = count_all_pending()
    except (DatabaseError, InterfaceError):
        return None
    seconds = estimate_seconds(pending)
    return Backlog(pending, None if seconds is None else math.ceil(seconds / 60)) if pending else None


@functools.lru_cache(maxsize=1)
def _describe_recent_backlog(period: int) -> Backlog | None:
    return describe_backlog()


@functools.lru_cache(maxsize=1)
def _list_recent_checks(period: int) -> tuple[Check, ...]:
    return tuple(list_checks())
