"""Tables of the second stage."""

from factcheck.extraction.models.breakers import BreakerEvent, BreakerKind, BreakerState
from factcheck.extraction.models.buckets import ConfidenceBucket
from factcheck.extraction.models.candidates import (
    LIVING_STATES,
    CandidateState,
    CandidateSupport,
    CandidateTransition,
    FactCandidate,
)
from factcheck.extraction.models.rates import SamplingRate
from factcheck.extraction.models.runs import (
    OPEN_STATES,
    DeltaOutcome,
    ExtractionDelta,
    ExtractionRun,
    MessageOutcome,
    RunMessage,
    RunMode,
    RunState,
    RunTrigger,
)
from factcheck.extraction.models.samples import ExtractionSample, SampleKind, SampleReason

__all__ = [
    "LIVING_STATES",
    "OPEN_STATES",
    "BreakerEvent",
    "BreakerKind",
    "BreakerState",
    "CandidateState",
    "CandidateSupport",
    "CandidateTransition",
    "ConfidenceBucket",
    "DeltaOutcome",
    "ExtractionDelta",
    "ExtractionRun",
    "ExtractionSample",
    "FactCandidate",
    "MessageOutcome",
    "RunMessage",
    "RunMode",
    "RunState",
    "RunTrigger",
    "SampleKind",
    "SampleReason",
    "SamplingRate",
]
