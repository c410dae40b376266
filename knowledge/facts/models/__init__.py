"""Tables of user facts."""

from knowledge.facts.models.corrections import (
    ENDING_BASES,
    FORGOTTEN_REASON,
    CorrectionBasis,
    CorrectionOutcome,
    CorrectionType,
    MemoryCorrection,
)
from knowledge.facts.models.facts import PROTECTED_SOURCES, PROTECTED_TYPES, EndReason, FactSource, FactType, UserFact
from knowledge.facts.models.tombstones import FactTombstone

__all__ = [
    "ENDING_BASES",
    "FORGOTTEN_REASON",
    "PROTECTED_SOURCES",
    "PROTECTED_TYPES",
    "CorrectionBasis",
    "CorrectionOutcome",
    "CorrectionType",
    "EndReason",
    "FactSource",
    "FactTombstone",
    "FactType",
    "MemoryCorrection",
    "UserFact",
]
