"""What fact checking does and writes."""

from factcheck.actions.claims import assert_claim
from factcheck.core.verdicts import AssertionResult, Source

__all__ = ["AssertionResult", "Source", "assert_claim"]
