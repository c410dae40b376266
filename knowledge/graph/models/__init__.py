"""Tables of the graph."""

from knowledge.graph.models.entities import GraphEntity, GraphName, MergeKind, NameSource
from knowledge.graph.models.merges import GraphMergeProposal, GraphNotSame, ProposalState
from knowledge.graph.models.relations import GraphRelation, RelationSource, RelationState

__all__ = [
    "GraphEntity",
    "GraphMergeProposal",
    "GraphName",
    "GraphNotSame",
    "GraphRelation",
    "MergeKind",
    "NameSource",
    "ProposalState",
    "RelationSource",
    "RelationState",
]
