"""Whose a part of the graph is: the world's canon, or the play of one campaign, conversation or user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

OwnerKind = Literal["canon", "campaign", "conversation", "user"]


@dataclass(frozen=True, slots=True)
class GraphOwner:
    """The canon of a world (id 0), or a row of play by its primary key."""

    kind: OwnerKind
    id: int = 0


CANON = GraphOwner("canon")


class OwnerFinder(Protocol):
    """Finds a part of play of a world by the id that callers know it by. Raises a NotFoundError."""

    def __call__(self, *, tenant_id: int, world_id: int, name: str) -> GraphOwner: ...


_FINDERS: dict[str, OwnerFinder] = {}


def register_owner_finder(kind: OwnerKind, finder: OwnerFinder) -> None:
    """The app that keeps play of this kind knows its ids. Registering a kind again replaces its finder."""
    _FINDERS[kind] = finder


def find_owner(kind: OwnerKind, *, tenant_id: int, world_id: int, name: str) -> GraphOwner:
    """The owner of that kind. Raises a NotFoundError."""
    return _FINDERS[kind](tenant_id=tenant_id, world_id=world_id, name=name)
