"""Tables of the canon."""

from knowledge.canon.models.documents import PUBLIC, LoreDocument, LoreRevision, Publication
from knowledge.canon.models.live_periods import LivePeriod, MoveKind
from knowledge.canon.models.passages import LexemeCount, LoreChunk, LorePassage
from knowledge.canon.models.releases import (
    Alias,
    AliasName,
    CanaryOverride,
    DomainIndex,
    EditState,
    GateState,
    Release,
    ReleaseEdit,
    ReleaseState,
    VectorSpace,
)

__all__ = [
    "PUBLIC",
    "Alias",
    "AliasName",
    "CanaryOverride",
    "DomainIndex",
    "EditState",
    "GateState",
    "LexemeCount",
    "LivePeriod",
    "LoreChunk",
    "LoreDocument",
    "LorePassage",
    "LoreRevision",
    "MoveKind",
    "Publication",
    "Release",
    "ReleaseEdit",
    "ReleaseState",
    "VectorSpace",
]
