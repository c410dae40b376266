"""What all operations of the OpenAPI document share: headers, problem documents, the order of things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NotRequired, TypeAlias

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from typing_extensions import TypedDict

from memoryproject.errors import DomainError
from memoryproject.problem_catalog import build_type_uri
from memoryproject.problems import STATUS_BY_KIND
from memoryproject.rest.parameters import TextParameter, describe_parameter
from memoryproject.rest.typed_dicts import member

SLUG = r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$"
PROBLEM_TYPE = "application/problem+json"

WORLD_HEADERS = (
    TextParameter(
        "X-Tenant-ID", "The key's tenant. May be left out; another tenant's slug is 404.", "demo", 63, pattern=SLUG
    ),
    TextParameter(
        "X-Site-ID",
        "The world. May be left out when the key is bound to a world or its tenant has only one.",
        "selmar",
        63,
        pattern=SLUG,
    ),
)
IDEMPOTENCY_HEADER = TextParameter(
    "Idempotency-Key",
    "Makes a repeat of this request harmless for 24 hours: the first answer comes again, with `Idempotency-Replayed: "
    "true`. The same key with another request is 409.",
    "0d8a2c1e-7d0c-4b7e-9a55-8a4d7b1f3c11",
    255,
    pattern=r"^[\x20-\x7e]+$",
)


class ProblemItem(TypedDict):
    """One of several mistakes in a body."""

    path: Annotated[str, member(description="JSON path in the body or in the article.")]
    message: str


class Problem(TypedDict):
    """What went wrong (RFC 9457). `code` is stable, `detail` is for people."""

    type: Annotated[
        str,
        member(
            description="The page of the code on this service, for example /problems/rate_limited: the cause, what to "
            "do, and whether to send the request again."
        ),
    ]
    title: Annotated[str, member(description="The status in words.")]
    status: Annotated[int, member(minimum=400, maximum=599)]
    detail: str
    code: str
    request_id: NotRequired[Annotated[str, member(description="Also in the header X-Request-ID.")]]
    errors: NotRequired[list[ProblemItem]]


STATUS_TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    409: "Conflict",
    412: "Precondition Failed",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Entity",
    428: "Precondition Required",
    429: "Too Many Requests",
    503: "Service Unavailable",
}
COMMON_CODES: dict[int, dict[str, str]] = {
    400: {"parameter_unknown": "There is no parameter 'page' here.", "parameter_invalid": "k must be a whole number."},
    401: {
        "api_key_missing": "Send an API key: 'Authorization: Bearer …' or 'X-API-Key: …'.",
        "api_key_invalid": "The API key is not known.",
        "api_key_revoked": "The API key has been revoked.",
        "api_key_expired": "The API key has expired.",
    },
    403: {"scope_missing": "This key was not issued for the scope 'read'."},
    404: {"tenant_not_found": "There is no tenant 'other'.", "world_not_found": "There is no world 'atlantis'."},
    406: {"not_acceptable": "Could not satisfy the request Accept header."},
    429: {"rate_limited": "Request was throttled. Expected available in 7 seconds."},
    503: {
        "redis_unavailable": "Redis does not answer. Try again shortly.",
        "database_unavailable": "The database does not answer. Try again shortly.",
    },
}
CODES_OF_ANY_ROUTE = frozenset(
    {"method_not_allowed", "internal", "database_busy", "query_timeout", "unstorable_value", "bad_request"}
)
"""What any route may answer and no operation declares: a wrong method, outages that are short, bugs of ours."""
WORLD_CODES = {400: {"world_required": "This key reaches several worlds: say which one in the header X-Site-ID."}}
BODY_CODES: dict[int, dict[str, str]] = {
    400: {"parse_error": "The body is not JSON in UTF-8.", "body_invalid": "title: 7 is not of type 'string'"},
    413: {"body_too_large": "The body is larger than this service takes."},
    415: {"unsupported_media_type": 'Unsupported media type "text/plain" in request.'},
}
IDEMPOTENCY_PROBLEMS: dict[int, dict[str, str]] = {
    400: {"idempotency_key_invalid": "Idempotency-Key must be 1 to 255 printable ASCII characters."},
    409: {"idempotency_key_reused": "This Idempotency-Key came before with another request. Use a new key."},
}


Problems: TypeAlias = "Mapping[int, Mapping[str, str]] | type[DomainError] | tuple[Problems, ...]"
"""An error, or codes with a detail by status, or several of these."""


def describe_problems(*groups: Problems) -> dict[Any, OpenApiResponse]:
    """The error responses of an operation: those that every one has, and its own, each code with an example."""
    merged = group_problems((COMMON_CODES, *groups))
    return {
        (status, PROBLEM_TYPE): OpenApiResponse(
            response=Problem,
            description=f"{STATUS_TITLES[status]}. Codes: {', '.join(f'`{code}`' for code in codes)}.",
            examples=[_describe_code(status, code, detail) for code, detail in codes.items()],
        )
        for status, codes in sorted(merged.items())
    }


def group_problems(problems: Problems) -> dict[int, dict[str, str]]:
    """Status to code to detail. Raises TypeError for an error without an example."""
    grouped: dict[int, dict[str, str]] = {}
    if isinstance(problems, tuple):
        for each in problems:
            for status, codes in group_problems(each).items():
                grouped.setdefault(status, {}).update(codes)
        return grouped
    if not isinstance(problems, type):
        return {status: dict(codes) for status, codes in problems.items()}
    if not problems.example:
        raise TypeError(f"{problems.__name__} has no example")
    return {STATUS_BY_KIND[problems.kind]: {problems.code: problems.example}}


def describe_headers(*more: TextParameter, world: bool = True) -> list[OpenApiParameter]:
    """The request headers of an operation."""
    declared: Iterable[TextParameter] = (*WORLD_HEADERS, *more) if world else (WORLD_HEADERS[0], *more)
    return [describe_parameter(each, location=OpenApiParameter.HEADER) for each in declared]


def require_bodies(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The OpenAPI document with every described body marked as required, which drf-spectacular leaves out.

    Save for operations of the extension `x-optional-body`.
    """
    for operations in result["paths"].values():
        for operation in operations.values():
            is_optional = operation.pop("x-optional-body", False)
            if "requestBody" in operation:
                operation["requestBody"]["required"] = not is_optional
    return result


def _describe_code(status: int, code: str, detail: str) -> OpenApiExample:
    return OpenApiExample(
        code,
        value={
            "type": build_type_uri(code),
            "title": STATUS_TITLES[status],
            "status": status,
            "detail": detail,
            "code": code,
            "request_id": "5f0c6f0f2b8a4c0e8f1b2f0c6e1d4a77",
        },
        response_only=True,
        status_codes=[str(status)],
        media_type=PROBLEM_TYPE,
    )
