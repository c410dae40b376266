"""What can go wrong in tenancy, by kind and code."""

from memoryproject.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError


class KeyRefused(ForbiddenError):
    """The API key is missing, unknown, expired or revoked. REST and MCP answer it with 401.

    Codes: `api_key_missing`, `api_key_invalid` (unknown prefix and wrong secret alike), `api_key_expired`,
    `api_key_revoked`.
    """

    code = "api_key_invalid"


class ScopeMissing(ForbiddenError):
    """The key is good, but was not issued for this."""

    code = "scope_missing"
    example = "This key was not issued for the scope 'editor'."


class UnknownTenant(NotFoundError):
    """No such tenant for this key."""

    code = "tenant_not_found"


class UnknownWorld(NotFoundError):
    """No such world for this key."""

    code = "world_not_found"


class UnknownEndUser(NotFoundError):
    """No such end user in this tenant."""

    code = "user_not_found"
    example = "There is no user 'player-1'."


class WorldRequired(InvalidError):
    """The key reaches several worlds and the call does not say which it is about."""

    code = "world_required"


class InvalidTenancy(InvalidError):
    """A tenant, world or key can't be as described."""

    code = "tenancy_invalid"


class UnknownKey(NotFoundError):
    """No API key of that prefix."""

    code = "api_key_not_found"


class InvalidIdempotencyKey(InvalidError):
    """`Idempotency-Key` is empty, too long or not printable."""

    code = "idempotency_key_invalid"


class IdempotencyKeyReused(ConflictError):
    """The same `Idempotency-Key` came before with another request."""

    code = "idempotency_key_reused"


class InvalidParameter(InvalidError):
    """A query parameter or header is unknown, missing or out of form; `parameter` names it."""

    code = "parameter_invalid"


class InvalidBody(InvalidError):
    """The body does not have the form that the OpenAPI document shows; `errors` lists path and message."""

    code = "body_invalid"


class ExtractionSwitchMoved(ConflictError):
    """A tenant's switch of extraction stands elsewhere than whoever moves it has seen."""

    code = "extraction_switch_moved"
