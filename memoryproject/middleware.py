"""Middleware of the web process: probes, request records, failures outside the REST framework, static files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

from memoryproject.anonymous_rate import find_excess
from memoryproject.client_address import get_client_address
from memoryproject.health import PROBES
from memoryproject.problems import Problem, render_failure
from memoryproject.request_log import RequestRecord, record_request

GetResponse = Callable[[HttpRequest], Any]
REQUEST_ID_HEADER = "X-Request-ID"


class HybridMiddleware:
    """Base of middleware that stays on the event loop under ASGI and works under a sync client too."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)  # type: ignore[type-var]


class ProbesMiddleware(HybridMiddleware):
    """Answers probes before anything else looks at the request: they come by IP address and without a session."""

    def __call__(self, request: HttpRequest) -> Any:
        """The probe's answer, or whatever the rest of the service says."""
        probe = PROBES.get(request.path)
        if probe is None:
            return self.get_response(request)
        return sync_to_async(probe)(request) if self.is_async else probe(request)


ANONYMOUS_PATHS = frozenset(
    {"/", "/favicon.ico", "/api/schema/", "/api/docs/", "/admin/login/", "/admin/jsi18n/", *PROBES}
)
"""Answered to anyone, whatever credentials are sent along."""


class AnonymousRateMiddleware(HybridMiddleware):
    """Holds whoever does not say who they are to a rate by address, and whoever's API key is refused as well.

    Static files are not counted: they are read once and answered from memory.
    """

    def __call__(self, request: HttpRequest) -> Any:
        """The answer, or 429."""
        if request.path_info.startswith(settings.STATIC_URL):
            return self.get_response(request)
        excess = find_excess(get_client_address(request)) if _is_anonymous(request) else None
        if self.is_async:
            return self._answer_async(request, excess)
        return excess.to_http() if excess else _count_refusal(request, self.get_response(request))

    async def _answer_async(self, request: HttpRequest, excess: Problem | None) -> HttpResponseBase:
        return excess.to_http() if excess else _count_refusal(request, await self.get_response(request))


def _is_anonymous(request: HttpRequest) -> bool:
    """Whether nobody is named; that a key or a session is a true one shows only later."""
    if request.path_info in ANONYMOUS_PATHS:
        return True
    has_key = "Authorization" in request.headers or "X-API-Key" in request.headers
    return not has_key and settings.SESSION_COOKIE_NAME not in request.COOKIES


def _count_refusal(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The answer, or 429 in place of one 401 too many: each guess of a key costs a query."""
    if response.status_code != HTTPStatus.UNAUTHORIZED or _is_anonymous(request):
        return response
    excess = find_excess(get_client_address(request))
    return response if excess is None else excess.to_http()


class PermissionsPolicyMiddleware(HybridMiddleware):
    """Tells browsers that no page of ours uses a camera, a place, a payment and the like."""

    def __call__(self, request: HttpRequest) -> Any:
        """The answer with the header."""
        if self.is_async:
            return self._answer_async(request)
        return _forbid_features(self.get_response(request))

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        return _forbid_features(await self.get_response(request))


def _forbid_features(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
    return response


class RequestRecordMiddleware(HybridMiddleware):
    """Gives each request an id, echoes it, and writes the access log."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """The response with its request id."""
        if self.is_async:
            return self._answer_async(request)
        with self._record(request) as record:
            return _conclude(record, request, self.get_response(request))

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        with self._record(request) as record:
            return _conclude(record, request, await self.get_response(request))

    def _record(self, request: HttpRequest) -> Any:
        return record_request(
            method=request.method or "", path=request.path, offered_id=request.headers.get(REQUEST_ID_HEADER)
        )


def _conclude(record: RequestRecord, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    record.status = response.status_code
    if request.resolver_match is not None:
        record.route = request.resolver_match.route
    response.headers[REQUEST_ID_HEADER] = record.request_id
    return response


class FailureMiddleware(HybridMiddleware):
    """Turns what a view outside the REST framework could not handle into a plain answer."""

    def __call__(self, request: HttpRequest) -> Any:
        """The response as it comes."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A problem document below /api/, a page elsewhere; None leaves it to Django."""
        return render_failure(request, exception)


class StaticFilesMiddleware(HybridMiddleware):
    """WhiteNoise without a thread hop for requests that are not for a static file."""

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self.whitenoise = WhiteNoiseMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> Any:
        """The static file, or whatever the rest of the service says."""
        if not request.path_info.startswith(self.whitenoise.static_prefix):
            return self.get_response(request)
        if self.whitenoise.autorefresh:
            static_file = self.whitenoise.find_file(request.path_info)
        else:
            static_file = self.whitenoise.files.get(request.path_info)
        if static_file is None:
            return self.get_response(request)
        return (
            sync_to_async(_read_static)(static_file, request) if self.is_async else _read_static(static_file, request)
        )


def _read_static(static_file: Any, request: HttpRequest) -> HttpResponse:
    """The file in one piece: a file iterator would be drained on the event loop."""
    streamed = WhiteNoiseMiddleware.serve(static_file, request)
    response = HttpResponse(b"".join(streamed), status=streamed.status_code)
    del response.headers["Content-Type"]
    for name, value in streamed.headers.items():
        response.headers[name] = value
    streamed.close()
    return response
