"""Which facts nothing proves any more without some messages."""

from __future__ import annotations

from collections.abc import Collection

from episodes.facts.selectors.worlds import find_facts_of_world
from episodes.models import Message, MessageRole
from knowledge.facts.actions.endings import list_facts_around
from knowledge.facts.models import FactSource, UserFact


def find_lost_facts(
    *, tenant_id: int, end_user_id: int, message_ids: Collection[int], world_id: int | None = None
) -> list[UserFact]:
    """The versions that would lose their last proof with the messages, in pk order. Two queries, two more for a world.

    A fact that the player stated lives as long as one of the player's own messages proves it: an assistant's question
    alone proves nothing. What was stated without a message stays, and so does, for one world, what others hold too.
    Source: seed 002, fix 15.
    """
    gone = set(message_ids)
    facts = list_facts_around(tenant_id, end_user_id, gone).exclude(source=FactSource.ONBOARDING)
    rows = [row for row in facts.filter(stated_in=[]).order_by("pk") if gone & set(row.evidence)]
    if not rows:
        return []
    proofs = {message_id for row in rows for message_id in row.evidence}
    said = Message.objects.filter(tenant_id=tenant_id, pk__in=proofs, role=MessageRole.USER)
    own = set(said.values_list("pk", flat=True))
    lost = [row for row in rows if not _is_proved(set(row.evidence), gone, own)]
    if world_id is None or not lost:
        return lost
    shared = find_facts_of_world(tenant_id=tenant_id, end_user_id=end_user_id, world_id=world_id).shared_ids
    return [row for row in lost if row.pk not in shared]


def _is_proved(evidence: set[int], gone: set[int], own: set[int]) -> bool:
    """Whether what is left proves it: the player's own words, where there were some, else anybody's."""
    left = evidence - gone
    return bool(left & own) if evidence & own else bool(left)
