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
from knowledge.facts.models import FactTombstone, MemoryCorrection, UserFact
from knowledge.graph.models import GraphEntity, GraphMergeProposal, GraphName, GraphNotSame, GraphRelation

__all__ = [
    "Alias",
    "DomainIndex",
    "FactTombstone",
    "GraphEntity",
    "GraphMergeProposal",
    "GraphName",
    "GraphNotSame",
    "GraphRelation",
    "LexemeCount",
    "LoreChunk",
    "LoreDocument",
    "LorePassage",
    "LoreRevision",
    "MemoryCorrection",
    "Publication",
    "Release",
    "ReleaseEdit",
    "UserFact",
    "VectorSpace",
]
