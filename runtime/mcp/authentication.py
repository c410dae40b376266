"""Who may come in by the MCP endpoint: the same keys, scope and rate as REST, told over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from memoryproject.outages import classify_outage
from memoryproject.problems import INTERNAL, Problem, describe_exception
from memoryproject.request_log import RequestRecord
from tenancy.actions.rate import RateVerdict, count_request
from tenancy.core.caller import Caller
from tenancy.errors import KeyRefused
from tenancy.models import Scope
from tenancy.selectors import authenticate_key, check_scope

logger = structlog.get_logger("memory37.mcp")

BEARER = "bearer "
CHALLENGE = 'Bearer realm="memory37"'


@dataclass(frozen=True, slots=True)
class Admission:
    """A request that may pass, with what its tools need to know."""

    caller: Caller
    record: RequestRecord
    tenant_slug: str | None
    world_slug: str | None
    agent: str | None = None
    """Of `/mcp/notebook`: which agent asks, and which notebook where a call names none."""
    notebook: str | None = None


class Refused(Exception):
    """The request may not pass; the problem is its answer."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def check_host(headers: Mapping[str, str]) -> None:
    """Raises Refused for a host that is not ours, or a browser page of another origin."""
    domain, _ = split_domain_port(headers.get("host", ""))
    if not domain or not validate_host(domain, settings.ALLOWED_HOSTS):
        raise Refused(Problem(421, "host_not_allowed", "This service does not answer for that host."))
    origin = headers.get("origin")
    if origin and origin not in settings.CSRF_TRUSTED_ORIGINS:
        host = _find_host(origin)
        if not host or not validate_host(host, settings.ALLOWED_HOSTS):
            raise Refused(Problem(403, "origin_not_allowed", "Pages of that origin may not call this service."))


def _find_host(origin: str) -> str:
    """The host of an origin without its port, or an empty text for what is no origin."""
    try:
        return split_domain_port(urlsplit(origin).netloc)[0]
    except ValueError:
        return ""


def admit(
    headers: Mapping[str, str], record: RequestRecord, *, scope: str = Scope.READ
) -> tuple[Admission, RateVerdict | None]:
    """The caller of a request, who needs the scope, and what is left of its rate. One query, one Redis round trip.

    Raises Refused.
    """
    try:
        caller = _authenticate(headers)
        record.tenant, record.key_prefix = caller.tenant_slug, caller.key_prefix
        check_scope(caller, scope)
        verdict = _count(caller)
    except Refused:
        raise
    except Exception as error:
        raise Refused(describe_failure(error)) from error
    if verdict is not None and not verdict.is_allowed:
        wait = verdict.retry_after_seconds
        detail = f"Request was throttled. Expected available in {wait} second{'' if wait == 1 else 's'}."
        raise Refused(
            Problem(429, "rate_limited", detail, headers={**describe_rate(verdict), "Retry-After": str(wait)})
        )
    admission = Admission(
        caller=caller,
        record=record,
        tenant_slug=headers.get("x-tenant-id"),
        world_slug=headers.get("x-site-id"),
        agent=headers.get("x-agent-id"),
        notebook=headers.get("x-notebook-id"),
    )
    return admission, verdict


def describe_rate(verdict: RateVerdict) -> dict[str, str]:
    """The headers that tell what is left of the rate."""
    return {
        "RateLimit-Limit": str(verdict.limit),
        "RateLimit-Remaining": str(verdict.remaining),
        "RateLimit-Reset": str(verdict.reset_seconds),
    }


def _authenticate(headers: Mapping[str, str]) -> Caller:
    text = _find_key_text(headers)
    if text is None:
        raise Refused(
            Problem(
                HTTPStatus.UNAUTHORIZED,
                "api_key_missing",
                "Send an API key: 'Authorization: Bearer …' or 'X-API-Key: …'.",
                headers={"WWW-Authenticate": CHALLENGE},
            )
        )
    try:
        return authenticate_key(text)
    except KeyRefused as refusal:
        challenge = {"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'}
        raise Refused(Problem(HTTPStatus.UNAUTHORIZED, refusal.code, refusal.detail, headers=challenge)) from refusal


def _find_key_text(headers: Mapping[str, str]) -> str | None:
    authorization = headers.get("authorization", "")
    if authorization[: len(BEARER)].lower() == BEARER:
        return authorization[len(BEARER) :].strip()
    return headers.get("x-api-key")


def _count(caller: Caller) -> RateVerdict | None:
    try:
        return count_request(caller)
    except Exception as error:
        if settings.THROTTLE_WITHOUT_REDIS != "allow" or classify_outage(error) is None:
            raise
        logger.warning("rate_not_counted", error=type(error).__name__)
        return None


def describe_failure(error: Exception) -> Problem:
    """The problem that the exception stands for; one that nobody foresaw is logged."""
    problem = describe_exception(error)
    if problem is None:
        logger.error("unhandled_error", exc_info=error)
        return INTERNAL
    return problem
