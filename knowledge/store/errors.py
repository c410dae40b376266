"""What can go wrong in the store, by kind and code."""

from memoryproject.errors import ConflictError, ForbiddenError, InvalidError


class InvalidOperation(InvalidError):
    """An operation of a batch can't be as described; `op` says which. Nothing of the batch was done."""

    code = "store_value_invalid"
    example = "Operation 0: The value has 300000 bytes as JSON; the most is 262144."


class BatchTooLarge(InvalidOperation):
    """A batch holds more operations than one may."""

    code = "store_batch_too_large"
    example = "A batch has at most 1000 operations."


class InvalidNamespace(InvalidOperation):
    """A namespace has too many labels, or a label that can't be one."""

    code = "store_namespace_invalid"
    example = "Operation 0: The label 'a.b' is empty or holds a period."


class InvalidKey(InvalidOperation):
    """A key is empty, too long or no text."""

    code = "store_key_invalid"
    example = "Operation 0: A key has at most 512 bytes in UTF-8."


class InvalidFilter(InvalidOperation):
    """A filter asks by an operator that there is not, or compares what can't be compared."""

    code = "store_filter_invalid"
    example = "Operation 0: There is no operator '$in'; there are $eq, $ne, $gt, $gte, $lt, $lte."


class EngineOnly(ForbiddenError):
    """An agent would write what the engine and editors alone write."""

    code = "engine_only"
    example = "Operation 0: What stands below 'm37' is written by the engine and editors, never here."


class StoreFull(ConflictError):
    """The store of this world has as many items as it may."""

    code = "store_full"
    example = "The store of this world has 100000 items; the most is 100000."
