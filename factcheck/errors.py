"""What can go wrong in fact checking, by kind and code."""

from memoryproject.errors import InvalidError


class InvalidClaim(InvalidError):
    """The claim is empty or too long to be one claim."""

    code = "claim_invalid"
