"""Tables of fact checking."""

from factcheck.models.claims import ContradictedClaim
from factcheck.models.patterns import (
    Concept,
    CorrectionPattern,
    InstantPattern,
    PackSwitchedOff,
    PatternGuard,
    PatternPack,
)
from factcheck.models.versions import PatternVersion

__all__ = [
    "Concept",
    "ContradictedClaim",
    "CorrectionPattern",
    "InstantPattern",
    "PackSwitchedOff",
    "PatternGuard",
    "PatternPack",
    "PatternVersion",
]
