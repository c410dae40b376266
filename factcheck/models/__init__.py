"""Tables of fact checking."""

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
from factcheck.models.claims import ContradictedClaim
from factcheck.models.patterns import (
    Concept,
    CorrectionPattern,
    ExtractionAnchor,
    InstantPattern,
    PackSwitchedOff,
    PatternGuard,
    PatternPack,
)
from factcheck.models.versions import PatternVersion

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
