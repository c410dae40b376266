"""What can go wrong in tenancy, by kind and code."""

from memoryproject.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError


class KeyRefused(ForbiddenError):
    """The API key is no good: here its prefix is unknown or its secret wrong. REST and MCP answer it with 401."""

    code = "api_key_invalid"


class KeyRevoked(KeyRefused):
    """An owner revoked the API key."""

    code = "api_key_revoked"
    example = "The API key has been revoked."


class KeyExpired(KeyRefused):
    """The API key was issued for a number of days that are over."""

    code = "api_key_expired"
    example = "The API key has expired."


class ScopeMissing(ForbiddenError):
    """The key is good, but was not issued for this."""

    code = "scope_missing"
    example = "This key was not issued for the scope 'read'."


class UnknownTenant(NotFoundError):
    """No such tenant for this key."""

    code = "tenant_not_found"
    example = "There is no tenant 'other'."


class UnknownWorld(NotFoundError):
    """No such world for this key."""

    code = "world_not_found"
    example = "There is no world 'atlantis'."


class UnknownEndUser(NotFoundError):
    """No such end user in this tenant."""

    code = "user_not_found"
    example = "There is no user 'player-1'."


class WorldRequired(InvalidError):
    """The key reaches several worlds and the call does not say which it is about."""

    code = "world_required"
    example = "This key reaches several worlds: say which one in the header X-Site-ID."


class InvalidTenancy(InvalidError):
    """A tenant, world or key can't be as described."""

    code = "tenancy_invalid"


class InvalidUserId(InvalidTenancy):
    """The engine's id of a user is empty, too long or not printable."""

    code = "user_id_invalid"
    example = "A user's id must be 1 to 200 printable characters."


class UnknownExtraction(InvalidTenancy):
    """Extraction has no such mode."""

    code = "extraction_unknown"


class ReasonMissing(InvalidError):
    """A person who decides says why."""

    code = "reason_missing"


class UnknownKey(NotFoundError):
    """No API key of that prefix."""

    code = "api_key_not_found"


class InvalidIdempotencyKey(InvalidError):
    """`Idempotency-Key` is empty, too long or not printable."""

    code = "idempotency_key_invalid"
    example = "Idempotency-Key must be 1 to 255 printable ASCII characters."


class IdempotencyKeyReused(ConflictError):
    """The same `Idempotency-Key` came before with another request."""

    code = "idempotency_key_reused"
    example = "This Idempotency-Key came before with another request. Use a new key."


class ExtractionSwitchMoved(ConflictError):
    """A tenant's switch of extraction stands elsewhere than whoever moves it has seen."""

    code = "extraction_switch_moved"
