"""The query parameters of the graph, and the reader that they make."""

from __future__ import annotations

from typing import Any

from knowledge.api.parameters import ALIAS, DOMAIN, NPC_ID, RELEASE, SESSION_ID, resolve_reading
from knowledge.canon.models import PUBLIC
from knowledge.canon.selectors.audience import LORE, get_npc_audience
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.errors import InvalidAsOf, UnknownAlias, UnknownDomain
from knowledge.graph.core.owners import find_play_owners
from knowledge.graph.core.views import GraphReader
from knowledge.graph.errors import AsOfAndAlias, AsOfAndRelease
from knowledge.graph.selectors.readers import make_reader, make_world_reader
from memoryproject.rest.errors import ReleaseAndAlias
from memoryproject.rest.parameters import MAX_ID, NumberParameter, TextParameter, TimeParameter
from tenancy.core.caller import WorldRef

AS_OF = TimeParameter(
    "as_of",
    "The graph as it was at this time (ISO 8601 with an offset): each domain in the release that was live then. Not "
    "together with `release` or `alias`.",
    "2026-01-15T12:00:00Z",
    error=InvalidAsOf,
)
CONVERSATION = NumberParameter(
    "conversation_id", "Beside canon what events of this conversation state, as far as it is known there.", 7, 1, MAX_ID
)
CAMPAIGN = TextParameter("campaign_id", "Beside canon what scenes of this campaign state.", "camp_1", 100)
READER = (DOMAIN, RELEASE, ALIAS, AS_OF, NPC_ID, SESSION_ID, CONVERSATION, CAMPAIGN)
OF_CANON = frozenset({"domain", "release", "alias", "as_of"})
"""Who sends one of these means a canon that is there."""
EXCLUSIVE = (
    ("release", "alias", ReleaseAndAlias),
    ("as_of", "release", AsOfAndRelease),
    ("as_of", "alias", AsOfAndAlias),
)


def read_reader(
    world: WorldRef, values: dict[str, Any], *, session_id: str | None = None
) -> tuple[GraphReader, ResolvedRelease | None]:
    """The reader that the parameters describe, and the release that is read of the domain asked for; None where play
    is read in a world without canon.

    Raises UnknownDomain, UnknownAlias, UnknownRelease, InvalidParameter, UnknownConversation, UnknownCampaign.
    """
    as_of = values.get("as_of")
    is_npc = "npc_id" in values
    owner_filter = {"tenant_id": world.tenant_id, "world_id": world.world_id}
    owners = find_play_owners(values, **owner_filter)
    try:
        reading = resolve_reading(world, values, domain=LORE, session_id=session_id)
    except (UnknownDomain, UnknownAlias):
        if not owners or not values.keys().isdisjoint(OF_CANON):
            raise
        audience = get_npc_audience(world.world_id, values["npc_id"]) if is_npc else (PUBLIC,)
        return make_world_reader(**owner_filter, audience=audience, is_npc=is_npc, owners=owners), None
    reader = make_reader(reading.release, audience=reading.audience, is_npc=is_npc, owners=owners, as_of=as_of)
    return reader, reading.release
