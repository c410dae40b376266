"""Writes of session memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

import redis
from django.conf import settings
from django.utils import timezone

from episodes.condensing.actions.talk_summaries import clear_session_summaries
from episodes.conversations.selectors.sessions import (
    find_last_session_message_id,
    find_worlds,
    list_session_npcs,
    list_sessions_of_messages,
)
from episodes.models import Message, MessageRole
from memoryproject.database import after_commit
from memoryproject.forgetting.registry import Forgotten, Withdrawal
from memoryproject.redis import get_redis
from runtime.errors import InvalidPreference, SessionMemoryDisabled
from runtime.session_memory import store
from runtime.session_memory.circuit import CIRCUIT
from runtime.session_memory.core.entries import MemoryEntry
from runtime.session_memory.core.inference import FIELDS, TAGS
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.core.preferences import Preference, PreferenceChange, validate_preference
from runtime.session_memory.inference import infer_preferences
from runtime.session_memory.selectors import to_entry


def remember_messages(messages: Sequence[Message]) -> None:
    """Messages that are in RAW are appended to the short memories of their sessions. Never fails for want of Redis.

    A memory that is not there stays absent: its next reader builds it from RAW as a whole.
    """
    if not settings.MEMORY_ENABLED:
        return
    spoken = [message for message in messages if message.session_id and message.role != MessageRole.SYSTEM]
    if not spoken:
        return
    worlds = find_worlds(conversation_ids={message.conversation_id for message in spoken})
    talks: defaultdict[tuple[SessionRef, str], list[MemoryEntry]] = defaultdict(list)
    for message in spoken:
        if message.conversation_id in worlds:
            session = SessionRef(message.tenant_id, worlds[message.conversation_id], message.session_id)
            talks[session, message.npc_id].append(to_entry(message))
    for (session, npc_id), entries in talks.items():
        after_id = find_last_session_message_id(
            tenant_id=session.tenant_id,
            world_id=session.world_id,
            session_id=session.session_id,
            npc_id=npc_id,
            before_id=min(entry.place for entry in entries),
        )
        newest = entries[-settings.MEMORY_MAX_MESSAGES :]
        CIRCUIT.call(
            partial(_append, session=session, npc_id=npc_id, entries=newest, after_id=after_id),
            writes=store.key_of_short_memory(session, npc_id),
        )


def _append(
    client: redis.Redis, *, session: SessionRef, npc_id: str, entries: Sequence[MemoryEntry], after_id: int
) -> bool:
    return store.append_entries(client, session, npc_id, entries, after_id=after_id)


def clear_session(session: SessionRef, *, npc_id: str | None = None) -> None:
    """The talk with the NPC is no longer remembered; without an NPC, neither any talk nor the preference.

    RAW keeps the messages: this is not forgetting. Raises redis.RedisError.
    """
    up_to = find_last_session_message_id(
        tenant_id=session.tenant_id, world_id=session.world_id, session_id=session.session_id, npc_id=npc_id
    )
    client = get_redis()
    clear_session_summaries(
        tenant_id=session.tenant_id, world_id=session.world_id, session_id=session.session_id, npc_id=npc_id
    )
    if npc_id is not None:
        store.clear_memory(client, session, [npc_id], up_to=up_to, is_whole=False)
        return
    known = list_session_npcs(
        tenant_id=session.tenant_id, world_id=session.world_id, session_id=session.session_id, since=None
    )
    npc_ids = {*known, *store.list_npcs(client, session)}
    store.clear_memory(client, session, npc_ids, up_to=up_to, is_whole=True)


def change_preference(session: SessionRef, change: PreferenceChange) -> Preference:
    """The session's preference after the change. Raises InvalidPreference, SessionMemoryDisabled, redis.RedisError."""
    flaw = validate_preference(change)
    if flaw:
        raise InvalidPreference(flaw)
    if not settings.MEMORY_ENABLED:
        raise SessionMemoryDisabled("MEMORY_ENABLED is off: this installation keeps no preferences.")
    time = timezone.now().isoformat().replace("+00:00", "Z")
    return store.change_preference(get_redis(), session, change, time=time)


def drop_preference(session: SessionRef, field: str, *, tag: str | None = None) -> tuple[bool, Preference]:
    """Whether the field, or one topic of it, was known and is no more; and what is left of the preference.

    What was said so far is no ground to infer it again. Raises InvalidPreference, SessionMemoryDisabled,
    redis.RedisError.
    """
    if field not in FIELDS or (tag is not None and field != TAGS):
        raise InvalidPreference(f"field must be one of {', '.join(FIELDS)}; a tag is one of interest_tags.")
    if not settings.MEMORY_ENABLED:
        raise SessionMemoryDisabled("MEMORY_ENABLED is off: this installation keeps no preferences.")
    up_to = find_last_session_message_id(
        tenant_id=session.tenant_id, world_id=session.world_id, session_id=session.session_id
    )
    is_known, left = store.drop_preference(get_redis(), session, field, tag, up_to=up_to)
    return is_known, left or Preference()


def forget_in_sessions(forgotten: Forgotten) -> int:
    """How many entries were taken out of short memories, wherever the messages were said, and preferences of who is
    erased. Raises redis.RedisError.

    To be called once the messages are marked as forgotten and that is committed: a memory that is built from RAW at
    the same moment looks for forgotten messages after it is written.
    """
    client = get_redis()
    talks = forgotten.talks
    if talks is None:
        talks = tuple(list_sessions_of_messages(tenant_id=forgotten.tenant_id, message_ids=forgotten.message_ids))
    sessions = {(world_id, session_id) for world_id, session_id, _ in forgotten.talks or ()}
    removed = sum(
        store.remove_entries(
            client, SessionRef(forgotten.tenant_id, world_id, session_id), npc_id, forgotten.message_ids
        )
        for world_id, session_id, npc_id in talks
    )
    for world_id, session_id in sorted({(world_id, session_id) for world_id, session_id, _ in talks}):
        session = SessionRef(forgotten.tenant_id, world_id, session_id)
        removed += store.remove_signals(client, session, forgotten.message_ids)
    return removed + store.delete_shared(
        client, [SessionRef(forgotten.tenant_id, world_id, session_id) for world_id, session_id in sorted(sessions)]
    )


def withdraw_in_sessions(withdrawal: Withdrawal) -> int:
    """How many talks of sessions are read from RAW anew, since a message in them is another now.

    Redis follows after the commit; where it does not answer, its lists go before it is used again. Signals of the old
    words count no more, and those of the new ones do.
    """
    ids = withdrawal.message_ids
    talks = list_sessions_of_messages(tenant_id=withdrawal.tenant_id, message_ids=ids)
    if talks and settings.MEMORY_ENABLED:
        after_commit(_reread_talks, withdrawal.tenant_id, tuple(talks), withdrawal)
    return len(talks) if settings.MEMORY_ENABLED else 0


def _reread_talks(tenant_id: int, talks: Sequence[tuple[int, str, str]], withdrawal: Withdrawal) -> None:
    for world_id, session_id, npc_id in talks:
        session = SessionRef(tenant_id, world_id, session_id)
        key = store.key_of_short_memory(session, npc_id)
        CIRCUIT.call(partial(_delete_talk, session=session, key=key, withdrawal=withdrawal), writes=key)
    infer_preferences(list(Message.objects.living().filter(pk=withdrawal.selected_id)))


def _delete_talk(client: redis.Redis, *, session: SessionRef, key: str, withdrawal: Withdrawal) -> int:
    store.remove_signals(client, session, [withdrawal.deselected_id])
    return int(client.delete(key))
