"""Who reads the graph when events are searched outside a context pack."""

from __future__ import annotations

from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import get_npc_audience
from knowledge.graph.core.views import GraphReader
from knowledge.graph.selectors.readers import make_world_reader


def make_graph_reader(*, tenant_id: int, world_id: int | None, npc_id: str | None) -> GraphReader | None:
    """The graph of a world as it is live, as a player's engine or an NPC may know it; None without a world.

    One query, at most four for an NPC.
    """
    if world_id is None:
        return None
    audience = (PUBLIC,) if npc_id is None else get_npc_audience(world_id, npc_id)
    return make_world_reader(tenant_id, world_id, audience=audience, is_npc=npc_id is not None)
