"""Whose a part of the graph is: the world's canon, or the play of one campaign, conversation or user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OwnerKind = Literal["canon", "campaign", "conversation", "user"]


@dataclass(frozen=True, slots=True)
class GraphOwner:
    """The canon of a world (id 0), or a row of play by its primary key."""

    kind: OwnerKind
    id: int = 0


CANON = GraphOwner("canon")
