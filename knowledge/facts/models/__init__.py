"""Tables of user facts."""

from knowledge.facts.models.corrections import FORGOTTEN_REASON, CorrectionOutcome, CorrectionType, MemoryCorrection
from knowledge.facts.models.facts import EndReason, FactSource, FactType, UserFact

__all__ = [
    "FORGOTTEN_REASON",
    "CorrectionOutcome",
    "CorrectionType",
    "EndReason",
    "FactSource",
    "FactType",
    "MemoryCorrection",
    "UserFact",
]
