"""Notebooks when a player's messages are forgotten, or the player is: what rests on them goes as well."""

from __future__ import annotations

from django.db import transaction

from knowledge.notebook.actions.deletion import delete_notebooks_of_user, forget_messages
from memoryproject.forgetting.registry import ErasedUser, Forgotten, Gone


def forget_in_notebooks(forgotten: Forgotten) -> int:
    """How many versions and proposals lost their words; notebooks about a user of whom all is forgotten go whole."""
    count = forget_messages(tenant_id=forgotten.tenant_id, message_ids=forgotten.message_ids)
    if forgotten.is_everything:
        with transaction.atomic():
            count += delete_notebooks_of_user(
                tenant_id=forgotten.tenant_id, end_user_id=forgotten.end_user_id, world_id=forgotten.world_id
            )
    return count


def erase_notebooks(gone: Gone) -> int:
    """How many notebooks about the user are gone, in the transaction that accepts the order."""
    return delete_notebooks_of_user(tenant_id=gone.tenant_id, end_user_id=gone.end_user_id, world_id=gone.world_id)


def erase_notebooks_of(erased: ErasedUser) -> int:
    """How many notebooks about the user are gone, in the transaction that erases."""
    return delete_notebooks_of_user(tenant_id=erased.tenant_id, end_user_id=erased.end_user_id)
