"""Whose events a search reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from episodes.events.models import EVENT_PARTITION_KIND
from knowledge.graph.core.views import GraphReader
from knowledge.search.core.lexemes import build_partition_id
from knowledge.search.sql import read_query

SQL = Path(__file__).resolve().parents[1] / "sql"


@dataclass(frozen=True, slots=True)
class EventFilters:
    """Whose events are searched."""

    tenant_id: int
    end_user_id: int
    world_id: int | None = None
    or_without_world: bool = False
    """With `world_id`, also those of conversations that belong to no world."""
    is_any_world: bool = False
    npc_id: str | None = None
    """Only what that NPC took part in; without any NPC, what was said in `conversation_id`."""
    conversation_id: int | None = None
    only_conversation: bool = False
    tree_id: int | None = None
    """Where the talk of `conversation_id` branched, its tree: nothing is read of other branches, nor of trunks behind
    the forks."""
    campaign_id: str | None = None
    """The engine's id of the campaign that is played: what its scenes state is read in the graph."""
    graph: GraphReader | None = None
    """Who reads the graph of the world; None leaves it out."""

    @property
    def partition_id(self) -> int:
        """The pool of words that the player's events share."""
        return build_partition_id(EVENT_PARTITION_KIND, self.end_user_id)

    def render(self) -> tuple[str, dict[str, Any]]:
        """The condition on p, and its parameters."""
        conditions = ["p.tenant_id = %(tenant_id)s", "p.end_user_id = %(end_user_id)s"]
        if not self.is_any_world:
            without = " OR p.world_id IS NULL" if self.or_without_world else ""
            conditions.append(
                f"(p.world_id = %(world_id)s{without})" if self.world_id is not None else "p.world_id IS NULL"
            )
        if self.npc_id is not None:
            conditions.append(
                "(%(npc_id)s = ANY(p.npc_ids) OR p.npc_ids = '{}' AND p.conversation_id = %(conversation_id)s)"
            )
        if self.only_conversation:
            conditions.append("p.conversation_id = %(conversation_id)s")
        if self.tree_id is not None:
            conditions.append(read_query(SQL / "in_line.sql"))
        parameters = {
            "tree_id": self.tree_id,
            "tenant_id": self.tenant_id,
            "end_user_id": self.end_user_id,
            "world_id": self.world_id,
            "npc_id": self.npc_id,
            "conversation_id": self.conversation_id,
        }
        return " AND ".join(conditions), parameters
