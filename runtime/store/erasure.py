"""The store of agents when a player's messages are forgotten, or the player is."""

from __future__ import annotations

from knowledge.store.actions.erasure import delete_items_from, delete_items_of_user
from memoryproject.forgetting.registry import ErasedUser, Forgotten, Gone
from tenancy.selectors import find_external_id


def forget_in_store(forgotten: Forgotten) -> int:
    """How many items rest on the messages; of a user of whom all is forgotten, those that name them as well."""
    count = delete_items_from(tenant_id=forgotten.tenant_id, message_ids=forgotten.message_ids)
    if forgotten.is_everything:
        count += _delete_of(forgotten.tenant_id, forgotten.end_user_id, forgotten.world_id)
    return count


def erase_in_store(gone: Gone) -> int:
    """How many items name the user, in the transaction that accepts the order."""
    return _delete_of(gone.tenant_id, gone.end_user_id, gone.world_id)


def erase_name_in_store(erased: ErasedUser) -> int:
    """How many items name the user by the id that gives way, in the transaction that erases."""
    return delete_items_of_user(tenant_id=erased.tenant_id, user_id=erased.name.old)


def _delete_of(tenant_id: int, end_user_id: int, world_id: int | None) -> int:
    user_id = find_external_id(tenant_id=tenant_id, end_user_id=end_user_id)
    return 0 if user_id is None else delete_items_of_user(tenant_id=tenant_id, user_id=user_id, world_id=world_id)
