"""What can go wrong in fact checking, by kind and code."""

from memoryproject.errors import ConflictError, InvalidError, NotFoundError


class BreakerMoved(ConflictError):
    """The breaker is not in the state that the person saw."""

    code = "breaker_moved"


class InvalidClaim(InvalidError):
    """The claim is empty or too long to be one claim."""

    code = "claim_invalid"


class PatternRefused(InvalidError):
    """A pattern, guard, correction, pack or concept would not work, or not only where it should; `errors` lists why."""

    code = "pattern_invalid"


class PatternTooBroad(InvalidError):
    """A pattern fires on a larger share of real messages than is allowed; `share` and `sample_size` say on how many."""

    code = "pattern_too_broad"


class PatternChanged(ConflictError):
    """Someone else saved the row after it was opened."""

    code = "pattern_changed"


class ShippedRow(ConflictError):
    """The row ships with the product: it can be switched off, not deleted."""

    code = "pattern_shipped"


class UnknownPatternRow(NotFoundError):
    """No such row."""

    code = "pattern_not_found"


class CasesInvalid(InvalidError):
    """What was given to try is too much, or not what it should be."""

    code = "cases_invalid"
