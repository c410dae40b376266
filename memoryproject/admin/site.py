"""The editors' site: unfold's, with our pages beside the model pages, and domain errors told as messages."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.admin.apps import AdminConfig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.module_loading import import_string
from unfold.sites import UnfoldAdminSite

from memoryproject.errors import DomainError, NotFoundError
from memoryproject.problems import STATUS_BY_KIND

View = Callable[..., Any]


class EditorsAdminConfig(AdminConfig):
    """Makes `EditorsAdminSite` the default admin site."""

    default_site = "memoryproject.admin.site.EditorsAdminSite"
    default = False


class EditorsAdminSite(UnfoldAdminSite):
    """One site for editors, reviewers and owners; what each sees follows from the tenants they belong to."""

    empty_value_display = "–"
    enable_nav_sidebar = True

    def extra_urls(self) -> list[URLPattern]:
        """The pages that are not model pages, as the modules of `ADMIN_PAGES` list them."""
        return [pattern for module in settings.ADMIN_PAGES for pattern in import_string(f"{module}.build_urls")(self)]

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """The view for staff only; a refusal by the domain becomes a message, never a server error."""

        @functools.wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            try:
                return view(request, *args, **kwargs)
            except NotFoundError as error:
                raise Http404(error.detail) from error
            except DomainError as error:
                return self.show_refusal(request, error)

        guarded.csrf_exempt = getattr(view, "csrf_exempt", False)  # type: ignore[attr-defined]
        wrapped: Callable[..., Any] = super().admin_view(guarded, cacheable)
        return wrapped

    def show_refusal(self, request: HttpRequest, error: DomainError) -> HttpResponse:
        """Back to where a form came from with the reason as a message; a page of its own for a read."""
        if request.method == "POST":
            messages.error(request, error.detail)
            return HttpResponseRedirect(find_origin(request) or reverse(f"{self.name}:index"))
        context = {**self.each_context(request), "title": "This can't be shown", "error": error}
        return TemplateResponse(request, "memory37/refusal.html", context, status=STATUS_BY_KIND[error.kind])


def find_origin(request: HttpRequest) -> str | None:
    """The page of ours that the request came from, if the browser says so; never another site."""
    origin = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(origin, {request.get_host()}, require_https=request.is_secure()):
        return None
    parts = urlsplit(origin)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
