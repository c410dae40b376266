"""What can go wrong in fact checking, by kind and code."""

from typing import Any

from memoryproject.errors import ConflictError, InvalidError, NotFoundError


class BreakerMoved(ConflictError):
    """The breaker is not in the state that the person saw."""

    code = "breaker_moved"


class InvalidClaim(InvalidError):
    """The claim is empty or too long to be one claim."""

    code = "claim_invalid"


class EmptyClaim(InvalidClaim):
    """The claim says nothing."""

    code = "claim_empty"
    example = "The claim is empty."


class ClaimTooLong(InvalidClaim):
    """The claim is too long to be one."""

    code = "claim_too_long"
    example = "The claim has 5120 characters; the most is 1000."


class InvalidNpcId(InvalidClaim):
    """The id of an NPC is too long or not printable."""

    code = "npc_id_invalid"
    example = "npc_id has at most 120 plain characters."


class PatternRefused(InvalidError):
    """A pattern, guard, correction, pack or concept would not work, or not only where it should; `errors` lists why.

    With the `code` of the first reason, where there is one.
    """

    code = "pattern_invalid"

    def __init__(self, detail: str, *, code: str = code, **extra: Any) -> None:
        super().__init__(detail, **extra)
        self.code = code


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
