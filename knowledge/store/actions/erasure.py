"""What leaves the store with a player: items that name them, and items that rest on what they said."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q

from knowledge.store.models import StoreItem, StoreSpace


def delete_items_of_user(*, tenant_id: int, user_id: str, world_id: int | None = None) -> int:
    """How many items are gone because a label of their namespace, or their key, is the player's id.

    In one world, or in all of the tenant.
    """
    return _delete(Q(namespace__contains=[user_id]) | Q(key=user_id), tenant_id=tenant_id, world_id=world_id)


def delete_items_from(*, tenant_id: int, message_ids: Sequence[int]) -> int:
    """How many items are gone because they rest on messages that are forgotten."""
    return _delete(Q(message_id__in=list(message_ids)), tenant_id=tenant_id)


def _delete(which: Q, *, tenant_id: int, world_id: int | None = None) -> int:
    with transaction.atomic():
        rows = StoreItem.objects.filter(which, tenant_id=tenant_id)
        if world_id is not None:
            rows = rows.filter(space__world_id=world_id)
        spaces = list(rows.order_by("space_id").values_list("space_id", flat=True).distinct())
        # Spaces before their items, in the order of ids: as writers of batches do.
        list(StoreSpace.objects.select_for_update(no_key=True).filter(pk__in=spaces).order_by("pk"))
        ids = list(rows.filter(space_id__in=spaces).values_list("pk", flat=True))
        StoreItem.objects.filter(pk__in=ids).delete()
    return len(ids)
