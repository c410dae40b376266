"""Whose part of the graph the ids of callers name: a conversation, or a campaign."""

from __future__ import annotations

from episodes.conversations.selectors.conversations import check_conversation
from episodes.errors import UnknownCampaign, UnknownConversation
from episodes.models import Campaign
from knowledge.graph.core.owners import GraphOwner

MAX_ID = 9_223_372_036_854_775_807


def find_conversation_owner(*, tenant_id: int, world_id: int, name: str) -> GraphOwner:
    """The play of a conversation of the world. One query. Raises UnknownConversation."""
    number = int(name)
    if number > MAX_ID:
        raise UnknownConversation(f"There is no conversation {name}.")
    check_conversation(tenant_id=tenant_id, conversation_id=number, world_id=world_id)
    return GraphOwner("conversation", number)


def find_campaign_owner(*, tenant_id: int, world_id: int, name: str) -> GraphOwner:
    """The play of a campaign, by the engine's id. One query. Raises UnknownCampaign."""
    rows = Campaign.objects.filter(tenant_id=tenant_id, world_id=world_id, external_id=name)
    found = rows.values_list("pk", flat=True).first()
    if found is None:
        raise UnknownCampaign(f"There is no campaign {name!r}.")
    return GraphOwner("campaign", found)
