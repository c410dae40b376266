"""Tables of user facts."""

from knowledge.facts.models.corrections import CorrectionOutcome, CorrectionType, MemoryCorrection
from knowledge.facts.models.facts import EndReason, FactSource, FactType, UserFact

__all__ = [
    "CorrectionOutcome",
    "CorrectionType",
    "EndReason",
    "FactSource",
    "FactType",
    "MemoryCorrection",
    "UserFact",
]
