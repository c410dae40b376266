"""The keys of session memory in Redis: every change is one script or one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import redis
from django.conf import settings

from memoryproject.redis import build_key, get_redis
from runtime.session_memory.core.entries import MemoryEntry, pack_entry, unpack_entry
from runtime.session_memory.core.keys import SessionRef, name_npcs, name_preference, name_short_memory
from runtime.session_memory.core.preferences import MAX_TAGS, Preference, PreferenceChange, read_preference

LUA = Path(__file__).parent / "lua"
WHOLE = "all"
"""The field of the whole session among its NPCs, whose fields begin with `npc:`."""


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """What Redis holds of a session and one NPC."""

    entries: tuple[MemoryEntry, ...]
    preference: Preference | None
    cleared: tuple[str, str]
    """Up to which message the talk with the NPC, and the whole session, were cleared; '0' for never."""

    @property
    def cleared_up_to(self) -> int:
        """Messages up to this id are no longer remembered."""
        return max(map(int, self.cleared))


def key_of_short_memory(session: SessionRef, npc_id: str) -> str:
    """The list's key."""
    return build_key(name_short_memory(session, npc_id))


def read_memory(client: redis.Redis, session: SessionRef, npc_ids: Sequence[str]) -> dict[str, StoredMemory]:
    """What is held for each NPC. One round trip."""
    pipeline = client.pipeline(transaction=False)
    pipeline.hgetall(build_key(name_preference(session)))
    pipeline.hgetall(build_key(name_npcs(session)))
    for npc_id in npc_ids:
        pipeline.lrange(key_of_short_memory(session, npc_id), 0, -1)
    preference, npcs, *lists = pipeline.execute()
    shared = read_preference(_decode(preference))
    cleared = _decode(npcs)
    whole = cleared.get(WHOLE, "0")
    memories = {}
    for npc_id, packed in zip(npc_ids, lists, strict=True):
        marks = (cleared.get(_field(npc_id), "0"), whole)
        entries = sorted((unpack_entry(text) for text in packed), key=lambda entry: entry.message_id)
        up_to = max(map(int, marks))
        memories[npc_id] = StoredMemory(tuple(each for each in entries if each.message_id > up_to), shared, marks)
    return memories


def list_npcs(client: redis.Redis, session: SessionRef) -> list[str]:
    """The NPCs that have, or had, a list in the session."""
    fields = cast("list[bytes]", client.hkeys(build_key(name_npcs(session))))
    return sorted(name.removeprefix("npc:") for name in map(_text, fields) if name != WHOLE)


def append_entries(
    client: redis.Redis, session: SessionRef, npc_id: str, entries: Iterable[MemoryEntry], *, after_id: int = 0
) -> bool:
    """Whether there was a list to append to; entries that it holds already are left out.

    A list that ends before `after_id`, the message before them, has missed some and is deleted: RAW has them all.
    """
    limits = [settings.MEMORY_TTL_SECONDS, settings.MEMORY_MAX_MESSAGES, settings.MEMORY_MAX_CHARS, after_id]
    return bool(
        _script("append")(keys=_keys(session, npc_id), args=[*limits, *map(pack_entry, entries)], client=client)
    )


def restore_entries(
    client: redis.Redis, session: SessionRef, npc_id: str, entries: Sequence[MemoryEntry], *, cleared: tuple[str, str]
) -> bool:
    """Whether the list was written: not where one is by now, or where the session was cleared meanwhile."""
    args: list[str | int] = [settings.MEMORY_TTL_SECONDS, _field(npc_id), WHOLE, *cleared, *map(pack_entry, entries)]
    return bool(_script("restore")(keys=_keys(session, npc_id), args=args, client=client))


def remove_entries(client: redis.Redis, session: SessionRef, npc_id: str, message_ids: Iterable[int]) -> int:
    """How many entries were taken out."""
    return int(_script("remove")(keys=[key_of_short_memory(session, npc_id)], args=sorted(message_ids), client=client))


def clear_memory(
    client: redis.Redis, session: SessionRef, npc_ids: Iterable[str], *, up_to: int, is_whole: bool
) -> None:
    """The lists are gone, and with `is_whole` the preference; RAW up to that message does not bring them back."""
    npcs = build_key(name_npcs(session))
    npc_ids = list(npc_ids)
    pipeline = client.pipeline(transaction=True)
    if is_whole:
        pipeline.delete(npcs, build_key(name_preference(session)))
    if npc_ids:
        pipeline.delete(*(key_of_short_memory(session, npc_id) for npc_id in npc_ids))
    if up_to:
        fields = [WHOLE] if is_whole else [_field(npc_id) for npc_id in npc_ids]
        pipeline.hset(npcs, mapping=dict.fromkeys(fields, str(up_to)))
        pipeline.expire(npcs, settings.MEMORY_TTL_SECONDS)
    pipeline.execute()


def delete_shared(client: redis.Redis, sessions: Iterable[SessionRef]) -> int:
    """How many keys are gone of what the sessions' NPCs share: preferences, and the lists of NPCs."""
    keys = [build_key(name(session)) for session in sessions for name in (name_preference, name_npcs)]
    return client.delete(*keys) if keys else 0


def change_preference(client: redis.Redis, session: SessionRef, change: PreferenceChange, *, time: str) -> Preference:
    """The preference after the change."""
    replaced = "" if change.interest_tags is None else _dump(change.interest_tags)
    fields = {"verbosity": change.verbosity, "tone": change.tone, "language": change.language}
    pairs = [text for name, value in fields.items() if value is not None for text in (name, value)]
    args: list[str | int] = [settings.MEMORY_TTL_SECONDS, MAX_TAGS, time, replaced, _dump(change.new_tags), *pairs]
    stored = _script("prefer")(keys=[build_key(name_preference(session))], args=args, client=client)
    hash_ = dict(zip(map(_text, stored[::2]), map(_text, stored[1::2]), strict=True))
    return read_preference(hash_) or Preference()


def _keys(session: SessionRef, npc_id: str) -> list[str]:
    return [
        key_of_short_memory(session, npc_id),
        build_key(name_npcs(session)),
        build_key(name_preference(session)),
    ]


def _field(npc_id: str) -> str:
    return f"npc:{npc_id}"


def _dump(tags: Iterable[str]) -> str:
    return json.dumps(list(dict.fromkeys(tags)), ensure_ascii=False)


def _text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode()


def _decode(stored: dict[Any, Any]) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in stored.items()}


@cache
def _script(name: str) -> redis.commands.core.Script:
    return get_redis().register_script((LUA / f"{name}.lua").read_text(encoding="utf-8"))
