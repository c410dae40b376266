"""What can go wrong in the store, by kind and code."""

from memoryproject.errors import ConflictError, ForbiddenError, InvalidError


class InvalidOperation(InvalidError):
    """An operation of a batch can't be as described; `op` says which. Nothing of the batch was done."""

    code = "store_value_invalid"


class EngineOnly(ForbiddenError):
    """An agent would write what the engine and editors alone write."""

    code = "engine_only"


class StoreFull(ConflictError):
    """The store of this world has as many items as it may."""

    code = "store_full"
