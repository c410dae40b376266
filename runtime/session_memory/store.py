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
from runtime.session_memory.core.entries import MemoryEntry, parse_entry, serialize_entry
from runtime.session_memory.core.inference import SIGNAL, TAGS, list_surplus, name_dropped
from runtime.session_memory.core.keys import SessionRef, name_npcs, name_preference, name_short_memory
from runtime.session_memory.core.preferences import (
    EXPLICIT,
    MAX_TAGS,
    SET_TAGS,
    Preference,
    PreferenceChange,
    read_preference,
)

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
    shared = read_preference(_decode(preference), is_inferred=settings.PREFERENCE_INFERENCE_ENABLED)
    cleared = _decode(npcs)
    whole = cleared.get(WHOLE, "0")
    memories = {}
    for npc_id, serialized in zip(npc_ids, lists, strict=True):
        marks = (cleared.get(_field(npc_id), "0"), whole)
        entries = sorted((parse_entry(text) for text in serialized), key=lambda entry: entry.place)
        up_to = max(map(int, marks))
        memories[npc_id] = StoredMemory(tuple(each for each in entries if each.place > up_to), shared, marks)
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
        _script("append")(keys=_keys(session, npc_id), args=[*limits, *map(serialize_entry, entries)], client=client)
    )


def restore_entries(
    client: redis.Redis, session: SessionRef, npc_id: str, entries: Sequence[MemoryEntry], *, cleared: tuple[str, str]
) -> bool:
    """Whether the list was written: not where one is by now, or where the session was cleared meanwhile."""
    args: list[str | int] = [
        settings.MEMORY_TTL_SECONDS,
        _field(npc_id),
        WHOLE,
        *cleared,
        *map(serialize_entry, entries),
    ]
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
    return read_preference(hash_, is_inferred=settings.PREFERENCE_INFERENCE_ENABLED) or Preference()


def note_signals(client: redis.Redis, session: SessionRef, message_id: int, serialized: str) -> None:
    """The signals of one message count from now on; noting them again changes nothing. Two round trips."""
    key = build_key(name_preference(session))
    surplus = list_surplus({*map(_text, cast("list[bytes]", client.hkeys(key))), f"{SIGNAL}{message_id}"})
    pipeline = client.pipeline(transaction=True)
    pipeline.hset(key, f"{SIGNAL}{message_id}", serialized)
    if surplus:
        pipeline.hdel(key, *surplus)
    pipeline.expire(key, settings.MEMORY_TTL_SECONDS)
    pipeline.execute()


def remove_signals(client: redis.Redis, session: SessionRef, message_ids: Iterable[int]) -> int:
    """How many messages no longer count."""
    names = [f"{SIGNAL}{message_id}" for message_id in message_ids]
    return int(client.hdel(build_key(name_preference(session)), *names)) if names else 0


def drop_preference(
    client: redis.Redis, session: SessionRef, field: str, tag: str | None, *, up_to: int
) -> tuple[bool, Preference | None]:
    """Whether the field, or the one topic of it, was known, and the preference without it.

    Signals up to that message count for it no more.
    """
    key = build_key(name_preference(session))
    is_inferred = settings.PREFERENCE_INFERENCE_ENABLED

    def change(pipeline: redis.client.Pipeline) -> tuple[bool, dict[str, str]]:
        stored = _decode(cast("dict[bytes, bytes]", pipeline.hgetall(key)))
        before = read_preference(stored, is_inferred=is_inferred) or Preference()
        is_known = field in before.source and (tag is None or tag in before.interest_tags)
        pipeline.multi()
        if field in before.source and before.source[field] == EXPLICIT:
            rest = [each for each in before.interest_tags if each != tag] if tag is not None else []
            if tag is not None:
                stored[TAGS] = _dump(rest)
                pipeline.hset(key, TAGS, stored[TAGS])
            else:
                for name in (field, *([SET_TAGS] if field == TAGS else [])):
                    stored.pop(name, None)
                    pipeline.hdel(key, name)
        stored[name_dropped(field, tag)] = str(up_to)
        pipeline.hset(key, name_dropped(field, tag), str(up_to))
        pipeline.expire(key, settings.MEMORY_TTL_SECONDS)
        return is_known, stored

    is_known, stored = cast(
        "tuple[bool, dict[str, str]]",
        client.transaction(cast("Any", change), key, value_from_callable=True),
    )
    return is_known, read_preference(stored, is_inferred=is_inferred)


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
