"""Opening conversations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.db import IntegrityError, transaction

from episodes.errors import ConversationTaken
from episodes.models import Conversation
from memoryproject.constraints import find_constraint
from npcs.profiles.selectors.profiles import list_profiles
from tenancy.actions.end_users import lock_named_user
from tenancy.selectors import in_world

NOBODY_NAMED: Mapping[str, str] = MappingProxyType({})
MAX_NPC_NAMES_LENGTH = 200


@dataclass(frozen=True, slots=True)
class OpenedConversation:
    """A conversation, and whether it was there before."""

    conversation: Conversation
    created: bool


def open_conversation(
    *,
    tenant_id: int,
    user_id: str,
    external_id: str | None = None,
    world_id: int | None = None,
    npc_id: str = "",
    session_id: str = "",
    participants: Mapping[str, str] = NOBODY_NAMED,
) -> OpenedConversation:
    """A new conversation of the user, or the one that `external_id` already names in the world, or in none.

    The user is created on need. Two calls at once with one `external_id` get one conversation. `participants` names
    the `user` and the `assistant`; of a conversation that is open already, names that are given replace the old ones.
    An NPC without a name there is called as its profile says. Locks the user. Raises InvalidTenancy, ConversationTaken.
    """
    names = {f"{role}_name": name for role, name in participants.items()}
    if npc_id and world_id is not None and "assistant_name" not in names:
        names["assistant_name"] = _find_npc_name(tenant_id, world_id, npc_id)
    with transaction.atomic():
        user = lock_named_user(tenant_id=tenant_id, external_id=user_id)
        draft = Conversation(
            tenant_id=tenant_id,
            end_user=user,
            world_id=world_id,
            external_id=external_id,
            npc_id=npc_id,
            session_id=session_id,
            **names,
        )
        if external_id is None:
            draft.save(force_insert=True)
            return OpenedConversation(draft, created=True)
        found = _find(tenant_id, world_id, external_id) or _create(draft)
        if found is None:
            return OpenedConversation(draft, created=True)
        return OpenedConversation(_rename(_check_same(found, user.pk), names), created=False)


def _find_npc_name(tenant_id: int, world_id: int, npc_id: str) -> str:
    """What an NPC is called in all languages, as far as there is room; empty without a profile."""
    page = list_profiles(tenant_id=tenant_id, world_id=world_id, npc_ids=[npc_id], limit=1)
    if not page.profiles:
        return ""
    static = page.profiles[0].static
    names = dict.fromkeys([static.name, *static.names.values()])
    return "; ".join(names)[:MAX_NPC_NAMES_LENGTH]


def _rename(conversation: Conversation, names: Mapping[str, str]) -> Conversation:
    changed = {field: name for field, name in names.items() if name and getattr(conversation, field) != name}
    if changed:
        Conversation.objects.filter(pk=conversation.pk).update(**changed)
        for field, name in changed.items():
            setattr(conversation, field, name)
    return conversation


def _create(draft: Conversation) -> Conversation | None:
    """None once the conversation is stored, or the one that another connection stored under its id meanwhile."""
    try:
        with transaction.atomic():
            draft.save(force_insert=True)
    except IntegrityError as error:
        if find_constraint(error) != "conversation_external_id_unique":
            raise
        return _find(draft.tenant_id, draft.world_id, draft.external_id or "")
    return None


def _find(tenant_id: int, world_id: int | None, external_id: str) -> Conversation | None:
    return (
        Conversation.objects.select_related("end_user", "world")
        .filter(in_world(world_id), tenant_id=tenant_id, external_id=external_id)
        .first()
    )


def _check_same(conversation: Conversation, end_user_id: int) -> Conversation:
    if conversation.end_user_id != end_user_id:
        raise ConversationTaken("A conversation with this external_id belongs to another user.")
    return conversation
