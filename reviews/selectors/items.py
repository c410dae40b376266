"""What the items of a request do, in the form that approvals are pinned to."""

from __future__ import annotations

from reviews.core.items import ItemFacts, hash_items
from reviews.models import ChangeItem, ChangeRequest


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
    return hash_items(map(facts_of, change_request.items.all()))
