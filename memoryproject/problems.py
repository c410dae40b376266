"""Errors as RFC 9457 problem documents: the one place where domain errors meet HTTP."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response

from memoryproject.error_pages import render_error_page
from memoryproject.errors import DomainError, UnavailableError
from memoryproject.outages import classify_outage, is_unstorable_value
from memoryproject.problem_catalog import build_type_uri
from memoryproject.request_log import get_request_id

logger = structlog.get_logger("memory37.problems")

CONTENT_TYPE = "application/problem+json"
RESERVED_MEMBERS = frozenset({"type", "title", "status", "detail", "code", "request_id"})
STATUS_BY_KIND = {
    "invalid": 400,
    "not_found": 404,
    "conflict": 409,
    "stale_version": 412,
    "version_required": 428,
    "forbidden": 403,
    "unprocessable": 422,
    "too_large": 413,
    "unavailable": 503,
}


@dataclass(frozen=True)
class Problem:
    """What went wrong, ready to be rendered."""

    status: int
    code: str
    detail: str
    extra: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def to_document(self) -> dict[str, Any]:
        """The members of the problem document."""
        document = {
            "type": build_type_uri(self.code),
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        if request_id := get_request_id():
            document["request_id"] = request_id
        return {**{name: value for name, value in self.extra.items() if name not in RESERVED_MEMBERS}, **document}

    def to_http(self) -> HttpResponse:
        """The problem as a plain Django response."""
        body = json.dumps(self.to_document(), ensure_ascii=False)
        return HttpResponse(body, status=self.status, content_type=CONTENT_TYPE, headers=dict(self.headers))


INTERNAL = Problem(500, "internal", "Something went wrong here. The request id finds it in the logs.")


def handle_exception(exc: Exception, context: dict[str, Any]) -> Response:
    """Django REST framework's exception handler: every error becomes a problem document."""
    problem = describe_exception(exc)
    if problem is None:
        got_request_exception.send(sender=None, request=context.get("request"))
        logger.error("unhandled_error", exc_info=exc)
        problem = INTERNAL
    return Response(
        problem.to_document(), status=problem.status, headers=dict(problem.headers), content_type=CONTENT_TYPE
    )


def describe_exception(exc: BaseException) -> Problem | None:
    """The problem that an exception stands for; None when nobody foresaw it."""
    if isinstance(exc, DomainError):
        return _describe_domain_error(exc)
    if isinstance(exc, exceptions.APIException):
        return _describe_api_exception(exc)
    if isinstance(exc, Http404):
        return Problem(404, "not_found", "There is nothing here.")
    if isinstance(exc, PermissionDenied):
        return Problem(403, "forbidden", "This is not allowed.")
    if isinstance(exc, RequestDataTooBig):
        return Problem(413, "body_too_large", "The body is larger than this service takes.")
    if isinstance(exc, SuspiciousOperation):
        return Problem(400, "bad_request", "The request is not well formed.")
    outage = classify_outage(exc)
    if outage is not None:
        logger.warning("outage", code=outage.code, error=type(exc).__name__)
        return _unavailable(outage.code, outage.detail, outage.retry_after_seconds)
    if is_unstorable_value(exc):
        return Problem(400, "unstorable_value", "A value cannot be stored: a character, a number or a length.")
    return None


def render_failure(request: HttpRequest, exc: BaseException) -> HttpResponse | None:
    """An answer for a view outside the REST framework; None leaves the exception to Django."""
    problem = describe_exception(exc)
    if problem is None or isinstance(exc, Http404 | PermissionDenied | SuspiciousOperation):
        return None
    return _answer(request, problem)


def is_api_path(path: str) -> bool:
    """Whether a program asks: it gets problem documents where people get pages."""
    return path.startswith(("/api/", "/mcp")) or path in {"/readyz", "/healthz", "/metrics"}


def _unavailable(code: str, detail: str, retry_after_seconds: int) -> Problem:
    return Problem(503, code, detail, headers={"Retry-After": str(retry_after_seconds)})


def _describe_domain_error(exc: DomainError) -> Problem:
    headers = {}
    if isinstance(exc, UnavailableError):
        headers["Retry-After"] = str(math.ceil(exc.retry_after_seconds))
    return Problem(STATUS_BY_KIND[exc.kind], exc.code, exc.detail, extra=exc.extra, headers=headers)


def _describe_api_exception(exc: exceptions.APIException) -> Problem:
    headers = {}
    if isinstance(exc, exceptions.Throttled):
        headers["Retry-After"] = str(math.ceil(getattr(exc, "wait", None) or 1))
    if getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = str(exc.auth_header)  # type: ignore[attr-defined]
    if isinstance(exc, exceptions.ValidationError):
        errors = list(flatten_errors(exc.get_full_details()))
        summary = "; ".join(
            f"{error['field']}: {error['detail']}" if error["field"] else error["detail"] for error in errors
        )
        return Problem(exc.status_code, "invalid", summary, extra={"errors": errors}, headers=headers)
    code = exc.get_codes()
    return Problem(
        exc.status_code,
        code if isinstance(code, str) else exc.default_code,
        str(exc.detail) if isinstance(exc.detail, str) else str(exc.default_detail),
        headers=headers,
    )


def flatten_errors(details: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Validation errors one by one, each with the dotted path of its field."""
    if isinstance(details, dict) and set(details) == {"message", "code"} and isinstance(details["message"], str):
        yield {"field": path, "code": str(details["code"]), "detail": str(details["message"])}
    elif isinstance(details, dict):
        for name, inner in details.items():
            yield from flatten_errors(inner, path if name == "non_field_errors" else _join(path, str(name)))
    elif isinstance(details, list):
        for place, inner in enumerate(details):
            is_item = isinstance(inner, dict) and set(inner) != {"message", "code"}
            yield from flatten_errors(inner, _join(path, str(place)) if is_item else path)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    return _answer(request, describe_exception(exception) or Problem(400, "bad_request", "The request is malformed."))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler403."""
    return _answer(request, Problem(403, "forbidden", "This is not allowed."))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404."""
    return _answer(request, Problem(404, "not_found", "There is nothing here."))


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500."""
    return _answer(request, INTERNAL)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's CSRF_FAILURE_VIEW."""
    problem = Problem(403, "csrf_failed", "This form was opened too long ago, or on another site.")
    return _answer(request, problem, advice="Go back, copy what you wrote, reload the page and send it again.")


def _answer(request: HttpRequest, problem: Problem, *, advice: str = "") -> HttpResponse:
    if is_api_path(request.path):
        return problem.to_http()
    return render_error_page(problem.status, problem.detail, path=request.path, advice=advice, headers=problem.headers)
