"""What is known of a player."""

from __future__ import annotations

from typing import Any, TypedDict

from episodes.models import Conversation
from knowledge.facts.selectors import list_facts
from tenancy.models import EndUser


class OwnerFilter(TypedDict):
    """Whose facts and messages: arguments of most actions and selectors."""

    tenant_id: int
    end_user_id: int


def owner_filter(owner: Conversation | EndUser) -> OwnerFilter:
    """The player, or the player of a conversation."""
    end_user_id = owner.pk if isinstance(owner, EndUser) else owner.end_user_id
    return {"tenant_id": owner.tenant_id, "end_user_id": end_user_id}


def get_known(owner: Conversation | EndUser, **filters: Any) -> dict[tuple[str, str | None], str | None]:
    """The values of active facts, by type and key."""
    return {(fact.type, fact.key): fact.value for fact in list_facts(**owner_filter(owner), **filters)}
