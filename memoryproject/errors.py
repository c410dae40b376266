"""Domain errors: a kind and a code, never an HTTP status.

Apps subclass these in their own ``errors.py``; ``memoryproject.problems`` renders them as
``application/problem+json``.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

Kind = Literal[
    "invalid",
    "not_found",
    "conflict",
    "forbidden",
    "stale_version",
    "version_required",
    "unprocessable",
    "too_large",
    "unavailable",
]


class DomainError(Exception):
    """A refusal that a caller can understand and act upon.

    ``detail`` is a sentence for people, ``code`` a stable word for programs, ``extra`` more
    members of the problem document (they must be JSON values).
    """

    kind: ClassVar[Kind] = "invalid"
    code: str = "invalid"
    example: ClassVar[str] = ""
    """A detail as the OpenAPI document shows it."""

    def __init__(self, detail: str, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extra = extra


class InvalidError(DomainError):
    """What was asked for is not well formed or breaks a rule."""

    kind = "invalid"
    code = "invalid"


class NotFoundError(DomainError):
    """What was asked for does not exist for this caller."""

    kind = "not_found"
    code = "not_found"


class ConflictError(DomainError):
    """The state of things does not allow it now."""

    kind = "conflict"
    code = "conflict"


class ForbiddenError(DomainError):
    """The caller may not do this."""

    kind = "forbidden"
    code = "forbidden"


class StaleVersionError(DomainError):
    """What was asked to be replaced has another version than the caller has seen."""

    kind = "stale_version"
    code = "stale_version"


class VersionRequiredError(DomainError):
    """What stands can only be replaced by a caller who names the version that they have seen."""

    kind = "version_required"
    code = "version_required"


class UnprocessableError(DomainError):
    """What was asked for is well formed and can't be done with what was given for it."""

    kind = "unprocessable"
    code = "unprocessable"


class TooLargeError(DomainError):
    """What was sent is larger than what is kept of its kind."""

    kind = "too_large"
    code = "too_large"


class UnavailableError(DomainError):
    """A part that is needed does not answer; trying again later may work."""

    kind = "unavailable"
    code = "unavailable"

    def __init__(self, detail: str, *, retry_after_seconds: int = 5, **extra: Any) -> None:
        super().__init__(detail, **extra)
        self.retry_after_seconds = retry_after_seconds


class EmbeddedServiceError(RuntimeError):
    """The PostgreSQL or Redis of a developer's machine can't start; the message says why and where its log is.

    `devtools.embedded` raises it; here it stands for `memoryproject.outages`, which renders it as any outage.
    """

    def __init__(self, service: str, message: str) -> None:
        super().__init__(message)
        self.service = service
