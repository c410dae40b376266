"""Middleware of the web process: probes, request records, failures outside the REST framework, static files."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

from memoryproject.anonymous_rate import find_excess
from memoryproject.client_address import get_client_address
from memoryproject.health import PROBES
from memoryproject.problems import render_failure
from memoryproject.request_log import record_request

GetResponse = Callable[[HttpRequest], HttpResponseBase]
REQUEST_ID_HEADER = "X-Request-ID"


class Middleware:
    """Base of middleware: it runs on the thread of its request (`ThreadedHandler`)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response


class ProbesMiddleware(Middleware):
    """Answers probes before anything else looks at the request: they come by IP address and without a session."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The probe's answer, or whatever the rest of the service says."""
        probe = PROBES.get(request.path)
        return self.get_response(request) if probe is None else probe(request)


ANONYMOUS_PATHS = frozenset(
    {"/", "/favicon.ico", "/api/schema/", "/api/docs/", "/admin/login/", "/admin/jsi18n/", *PROBES}
)
"""Answered to anyone, whatever credentials are sent along."""


class AnonymousRateMiddleware(Middleware):
    """Holds whoever does not say who they are to a rate by address, and whoever's API key is refused as well.

    Static files are not counted: they are read once and answered from memory.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, or 429."""
        if request.path_info.startswith(settings.STATIC_URL):
            return self.get_response(request)
        excess = find_excess(get_client_address(request)) if _is_anonymous(request) else None
        return excess.to_http() if excess else _count_refusal(request, self.get_response(request))


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


class PermissionsPolicyMiddleware(Middleware):
    """Tells browsers that no page of ours uses a camera, a place, a payment and the like."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer with the header."""
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response


class RequestRecordMiddleware(Middleware):
    """Gives each request an id, echoes it, and writes the access log."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The response with its request id."""
        offered = request.headers.get(REQUEST_ID_HEADER)
        with record_request(method=request.method or "", path=request.path, offered_id=offered) as record:
            response = self.get_response(request)
            record.status = response.status_code
            if request.resolver_match is not None:
                record.route = request.resolver_match.route
            response.headers[REQUEST_ID_HEADER] = record.request_id
            return response


class FailureMiddleware(Middleware):
    """Turns what a view outside the REST framework could not handle into a plain answer."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The response as it comes."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A problem document below /api/, a page elsewhere; None leaves it to Django."""
        return render_failure(request, exception)


class StaticFilesMiddleware(Middleware):
    """WhiteNoise whose files come in one piece."""

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self.whitenoise = WhiteNoiseMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The static file, or whatever the rest of the service says."""
        if not request.path_info.startswith(self.whitenoise.static_prefix):
            return self.get_response(request)
        if self.whitenoise.autorefresh:
            static_file = self.whitenoise.find_file(request.path_info)
        else:
            static_file = self.whitenoise.files.get(request.path_info)
        return self.get_response(request) if static_file is None else _read_static(static_file, request)


def _read_static(static_file: Any, request: HttpRequest) -> HttpResponse:
    """The file in one piece: a file iterator would be drained on the event loop."""
    streamed = WhiteNoiseMiddleware.serve(static_file, request)
    response = HttpResponse(b"".join(streamed), status=streamed.status_code)
    del response.headers["Content-Type"]
    for name, value in streamed.headers.items():
        response.headers[name] = value
    streamed.close()
    return response
