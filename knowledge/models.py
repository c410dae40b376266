"""Tables of the knowledge app, gathered from its parts."""

from knowledge.canon.models import (
    Alias,
    DomainIndex,
    LexemeCount,
    LoreChunk,
    LoreDocument,
    LorePassage,
    LoreRevision,
    Publication,
    Release,
    ReleaseEdit,
    VectorSpace,
)

__all__ = [
    "Alias",
    "DomainIndex",
    "LexemeCount",
    "LoreChunk",
    "LoreDocument",
    "LorePassage",
    "LoreRevision",
    "Publication",
    "Release",
    "ReleaseEdit",
    "VectorSpace",
]
