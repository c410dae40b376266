"""Tables of user facts."""

from knowledge.facts.core.types import PROTECTED_TYPES
from knowledge.facts.models.corrections import (
    ENDING_BASES,
    FORGOTTEN_REASON,
    CorrectionBasis,
    CorrectionOutcome,
    CorrectionType,
    MemoryCorrection,
)
from knowledge.facts.models.facts import FACT_TYPE_CHOICES, PROTECTED_SOURCES, EndReason, FactSource, UserFact
from knowledge.facts.models.tombstones import FactTombstone

__all__ = [
    "ENDING_BASES",
    "FACT_TYPE_CHOICES",
    "FORGOTTEN_REASON",
    "PROTECTED_SOURCES",
    "PROTECTED_TYPES",
    "CorrectionBasis",
    "CorrectionOutcome",
    "CorrectionType",
    "EndReason",
    "FactSource",
    "FactTombstone",
    "MemoryCorrection",
    "UserFact",
]
