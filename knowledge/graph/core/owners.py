"""Whose a part of the graph is: the world's canon, or the play of one campaign, conversation or user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

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


PLAY: tuple[tuple[str, OwnerKind], ...] = (("conversation_id", "conversation"), ("campaign_id", "campaign"))
"""What callers name a part of play by, and its kind."""
_FINDERS: dict[str, OwnerFinder] = {}


def register_owner_finder(kind: OwnerKind, finder: OwnerFinder) -> None:
    """The app that keeps play of this kind knows its ids. Registering a kind again replaces its finder."""
    _FINDERS[kind] = finder


def find_owner(kind: OwnerKind, *, tenant_id: int, world_id: int, name: str) -> GraphOwner:
    """The owner of that kind. Raises a NotFoundError."""
    return _FINDERS[kind](tenant_id=tenant_id, world_id=world_id, name=name)


def find_play_owners(values: Mapping[str, Any], *, tenant_id: int, world_id: int) -> list[GraphOwner]:
    """The parts of play that the values name. Raises a NotFoundError."""
    owner_filter = {"tenant_id": tenant_id, "world_id": world_id}
    return [find_owner(kind, **owner_filter, name=str(values[name])) for name, kind in PLAY if name in values]
