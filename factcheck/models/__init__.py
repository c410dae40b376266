"""Tables of fact checking."""

from factcheck.claims.models import ContradictedClaim
from factcheck.extraction.models import (
    BreakerEvent,
    CandidateSupport,
    CandidateTransition,
    ConfidenceBucket,
    ExtractionDelta,
    ExtractionRun,
    ExtractionSample,
    FactCandidate,
    RunMessage,
    SamplingRate,
)
from factcheck.patterns.models.patterns import (
    Concept,
    CorrectionPattern,
    ExtractionAnchor,
    InstantPattern,
    PackSwitchedOff,
    PatternGuard,
    PatternPack,
)
from factcheck.patterns.models.versions import PatternVersion

__all__ = [
    "BreakerEvent",
    "CandidateSupport",
    "CandidateTransition",
    "Concept",
    "ConfidenceBucket",
    "ContradictedClaim",
    "CorrectionPattern",
    "ExtractionAnchor",
    "ExtractionDelta",
    "ExtractionRun",
    "ExtractionSample",
    "FactCandidate",
    "InstantPattern",
    "PackSwitchedOff",
    "PatternGuard",
    "PatternPack",
    "PatternVersion",
    "RunMessage",
    "SamplingRate",
]
