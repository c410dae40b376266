"""What can be wrong with a request whatever it is about."""

from memoryproject.errors import InvalidError


class InvalidParameter(InvalidError):
    """A query parameter or header is unknown, missing or out of form; `parameter` names it."""

    code = "parameter_invalid"
    example = "k must be a whole number."


class UnknownParameter(InvalidParameter):
    """The operation has no query parameter of that name."""

    code = "parameter_unknown"
    example = "There is no parameter 'page' here."


class ReplacedParameter(InvalidParameter):
    """A query parameter was sent under its old name and its new one."""

    code = "parameter_replaced"
    example = "before is the old name of cursor: send one of them."


class UnknownCursor(InvalidParameter):
    """A cursor is well formed and names no row of the list."""

    code = "cursor_unknown"
    example = "cursor names no receipt of this user."


class MissingParameter(InvalidParameter):
    """A query parameter that the operation needs was not sent."""

    code = "parameter_missing"
    example = "q is missing."


class ReleaseAndAlias(InvalidParameter):
    """A release is named twice: by number and by alias."""

    code = "release_and_alias"
    example = "Send release or alias, not both."


class InvalidBody(InvalidError):
    """The body does not have the form that the OpenAPI document shows; `errors` lists path and message."""

    code = "body_invalid"
    example = "title: 7 is not of type 'string'"
