"""What the items of a request do, in the form that approvals are pinned to."""

from __future__ import annotations

from collections.abc import Iterable

from reviews.change_requests.core.items import ItemFacts, hash_items
from reviews.models import ChangeItem, ChangeRequest, NpcChangeItem


def facts_of(item: ChangeItem) -> ItemFacts:
    """One item, as far as an approval is about it."""
    return ItemFacts(
        item_id=item.pk,
        operation=item.operation,
        # A created document gets its id when it is staged; that changes nothing of what was approved.
        document_id=None if item.base_revision_id is None else item.document_id,
        base_revision_id=item.base_revision_id,
        slug=item.slug,
        content=item.content,
    )


def get_items_hash(change_request: ChangeRequest) -> str:
    """The fingerprint of all items of a request, as `approve_change_request` expects it."""
    return hash_request(change_request.items.all(), change_request.npc_items.all())


def hash_request(items: Iterable[ChangeItem], npc_items: Iterable[NpcChangeItem]) -> str:
    """The fingerprint of a request's items of both kinds."""
    return hash_items([*map(facts_of, items), *map(npc_facts_of, npc_items)])


def npc_facts_of(item: NpcChangeItem) -> ItemFacts:
    """One item of an NPC, as far as an approval is about it."""
    return ItemFacts(
        item_id=item.pk,
        operation="npc",
        document_id=None,
        base_revision_id=item.base_version,
        slug=item.npc_id,
        content=item.content,
    )


def get_item_version(item: ChangeItem | NpcChangeItem) -> str:
    """The version of an item's text, as forms carry it."""
    facts = facts_of(item) if isinstance(item, ChangeItem) else npc_facts_of(item)
    return hash_items([facts])[:32]
