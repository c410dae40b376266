"""Who sends a request, as far as an address tells."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def get_client_address(request: HttpRequest) -> str:
    """The address of the client."""
    return choose_address(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))


def choose_address(peer: str, forwarded_for: str) -> str:
    """The peer, or behind a trusted proxy the address that it added last: whoever calls may claim those before it."""
    if settings.TRUST_PROXY_HEADERS:
        return forwarded_for.rpartition(",")[2].strip() or peer
    return peer
