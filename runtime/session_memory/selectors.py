"""Reads of session memory: from Redis, else from RAW, which has it all."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone

from episodes.conversations.selectors.sessions import list_session_messages, list_session_npcs, list_unread
from episodes.models import Message
from runtime.session_memory import store
from runtime.session_memory.circuit import CIRCUIT
from runtime.session_memory.core.entries import MemoryEntry, cut_at_silence, shorten, trim_entries
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.core.preferences import Preference

UNAVAILABLE = "session_memory_unavailable"


@dataclass(frozen=True, slots=True)
class ShortMemory:
    """The talk with one NPC in one session, oldest first, and what the session's player prefers."""

    npc_id: str
    entries: tuple[MemoryEntry, ...] = ()
    preference: Preference | None = None
    rebuilt: bool = False
    """Whether Redis had lost it, and it came from RAW."""
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """The short memories of all NPCs of a session."""

    memories: tuple[ShortMemory, ...]
    preference: Preference | None
    degraded: tuple[str, ...]


def load_short_memory(session: SessionRef, npc_id: str, *, current_message_id: int | None = None) -> ShortMemory:
    """The talk so far; the message that is answered right now is left out. Never fails for want of Redis.

    One round trip to Redis. Where the list is not there it is read from RAW by one query and written back, which is
    told by `rebuilt`; while Redis does not answer it is read from RAW, which is told by `degraded`.
    """
    if not settings.MEMORY_ENABLED:
        return ShortMemory(npc_id)
    stored = CIRCUIT.call(lambda client: store.read_memory(client, session, [npc_id]))
    return _complete(session, npc_id, None if stored is None else stored[npc_id], current_message_id)


def load_session(session: SessionRef) -> SessionMemory:
    """What all NPCs of the session remember. One query, and one more for each NPC whose list is not there."""
    if not settings.MEMORY_ENABLED:
        return SessionMemory((), None, ())
    since = timezone.now() - dt.timedelta(seconds=settings.MEMORY_TTL_SECONDS)
    npc_ids = list_session_npcs(
        tenant_id=session.tenant_id, world_id=session.world_id, session_id=session.session_id, since=since
    )
    npc_ids = sorted({*npc_ids, *(CIRCUIT.call(lambda client: store.list_npcs(client, session)) or ())})
    stored = CIRCUIT.call(lambda client: store.read_memory(client, session, npc_ids or [""]))
    memories = tuple(_complete(session, npc_id, None if stored is None else stored[npc_id], None) for npc_id in npc_ids)
    shared = next(iter(stored.values())).preference if stored else None
    return SessionMemory(memories, shared, () if stored is not None else (UNAVAILABLE,))


def to_entry(message: Message) -> MemoryEntry:
    """The message as short memory keeps it."""
    return MemoryEntry(
        message_id=message.pk,
        role=message.role,
        content=shorten(message.content, max_chars=settings.MEMORY_MAX_CHARS),
        timestamp=message.sent_at,
        place_id=message.alternative_of_id or 0,
    )


def _complete(
    session: SessionRef, npc_id: str, stored: store.StoredMemory | None, current_message_id: int | None
) -> ShortMemory:
    entries: Sequence[MemoryEntry] = () if stored is None else stored.entries
    is_rebuilt = not entries
    if is_rebuilt:
        entries = _read_raw(session, npc_id, after_id=0 if stored is None else stored.cleared_up_to)
        if stored is not None and entries:
            _restore(session, npc_id, entries, stored.cleared)
    shown = tuple(entry for entry in entries if entry.message_id != current_message_id)
    return ShortMemory(
        npc_id=npc_id,
        entries=shown,
        preference=None if stored is None else stored.preference,
        rebuilt=stored is not None and is_rebuilt and bool(shown),
        degraded=() if stored is not None else (UNAVAILABLE,),
    )


def _read_raw(session: SessionRef, npc_id: str, *, after_id: int) -> tuple[MemoryEntry, ...]:
    messages = list_session_messages(
        tenant_id=session.tenant_id,
        world_id=session.world_id,
        session_id=session.session_id,
        npc_id=npc_id,
        after_id=after_id,
        limit=settings.MEMORY_MAX_MESSAGES,
    )
    kept = cut_at_silence(
        [to_entry(message) for message in messages],
        now=timezone.now(),
        ttl=dt.timedelta(seconds=settings.MEMORY_TTL_SECONDS),
    )
    return trim_entries(kept, max_messages=settings.MEMORY_MAX_MESSAGES, max_chars=settings.MEMORY_MAX_CHARS)


def _restore(session: SessionRef, npc_id: str, entries: Sequence[MemoryEntry], cleared: tuple[str, str]) -> None:
    """Writes the list. What is forgotten or deselected between reading and writing is taken out again."""
    is_written = CIRCUIT.call(lambda client: store.restore_entries(client, session, npc_id, entries, cleared=cleared))
    if not is_written:
        return
    forgotten = list_unread(tenant_id=session.tenant_id, message_ids=[entry.message_id for entry in entries])
    if forgotten:
        CIRCUIT.call(
            lambda client: store.remove_entries(client, session, npc_id, forgotten),
            writes=store.key_of_short_memory(session, npc_id),
        )
