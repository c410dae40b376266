"""Tables of user facts."""

from knowledge.facts.models.corrections import FORGOTTEN_REASON, CorrectionOutcome, CorrectionType, MemoryCorrection
from knowledge.facts.models.facts import EndReason, FactSource, FactType, UserFact
from knowledge.facts.models.tombstones import FactTombstone

__all__ = [
    "FORGOTTEN_REASON",
    "CorrectionOutcome",
    "CorrectionType",
    "EndReason",
    "FactSource",
    "FactTombstone",
    "FactType",
    "MemoryCorrection",
    "UserFact",
]
