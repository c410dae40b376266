"""Errors as pages for people; programs get problem documents."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from django.http import HttpResponse
from django.template.loader import render_to_string

from memoryproject.request_log import get_request_id

TITLES = {400: "This can't be read", 403: "This is not allowed", 404: "There is nothing here", 413: "This is too large"}
ADVICE = {
    400: "The address or the form is not well formed. Go back and try again.",
    403: "Your account may not do this. Sign in with another one, or ask an owner of your tenant for the role.",
    404: "The address may be mistyped, what was here may be gone, or it belongs to a tenant that you are not in.",
    500: "Nothing that you sent was half done. Try again; if it stays so, report it with the request number below.",
    503: "This passes by itself as a rule. Try again in a moment.",
}


def render_error_page(
    status: int, detail: str, *, path: str, advice: str = "", headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """A page of our own. It reads neither session nor database: they may be what failed."""
    title = TITLES.get(status) or HTTPStatus(status).phrase
    context = {
        "status": status,
        "title": title,
        "detail": "" if detail.rstrip(".") == title else detail,
        "advice": advice or ADVICE.get(status, ""),
        "is_admin": path.startswith("/admin/"),
        "request_id": get_request_id(),
    }
    html = render_to_string("memory37/error_page.html", context)
    return HttpResponse(html, status=status, headers=dict(headers or {}))
