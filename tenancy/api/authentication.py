"""Who calls a REST route, and whether the key was issued for it."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from memoryproject.request_log import describe_caller
from tenancy.core.caller import Caller
from tenancy.errors import KeyRefused
from tenancy.selectors import authenticate_key, check_scope

BEARER = "bearer "


class ApiKeyAuthentication(BaseAuthentication):
    """Takes the key from `Authorization: Bearer …`, else from `X-API-Key`; the caller becomes `request.auth`."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Caller] | None:
        """Nobody for a user, and the caller; None when no key came."""
        text = find_key_text(request)
        if text is None:
            return None
        try:
            caller = authenticate_key(text)
        except KeyRefused as refusal:
            raise AuthenticationFailed(refusal.detail, code=refusal.code) from refusal
        describe_caller(tenant=caller.tenant_slug, key_prefix=caller.key_prefix)
        return AnonymousUser(), caller

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return 'Bearer realm="memory37"'


def find_key_text(request: Request) -> str | None:
    """The key that the request carries, or None."""
    authorization = request.headers.get("Authorization", "")
    if authorization[: len(BEARER)].lower() == BEARER:
        return authorization[len(BEARER) :].strip()
    return request.headers.get("X-API-Key")


class HasScope(BasePermission):
    """Lets a caller pass whose key was issued for the view's scope of this method."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """False without a caller, and for a method that the view answers without naming its scope.

        Raises ScopeMissing.
        """
        if not isinstance(request.auth, Caller):
            return False
        scopes: dict[str, str] = getattr(view, "scopes", {})
        method = "GET" if request.method == "HEAD" else request.method
        if method in scopes:
            check_scope(request.auth, scopes[method])
        return method in scopes or getattr(view, str(method).lower(), None) is None


class ApiKeyScheme(OpenApiAuthenticationExtension):
    """Describes both ways of sending a key in the OpenAPI document."""

    target_class = "tenancy.api.authentication.ApiKeyAuthentication"
    name = ["bearerKey", "headerKey"]

    def get_security_requirement(self, auto_schema: object) -> list[dict[str, list[str]]]:
        """Either of the two."""
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: object) -> list[dict[str, str]]:
        """The two schemes, in the order of `name`."""
        return [
            {"type": "http", "scheme": "bearer", "bearerFormat": "m37_<prefix>_<secret>"},
            {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        ]
