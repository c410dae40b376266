"""Messages as short memory keeps them, and how many of them it keeps."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass

GAP = " [...] "


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One message of the talk."""

    message_id: int
    role: str
    content: str
    timestamp: dt.datetime
    place_id: int = 0
    """Where it stands in the talk: of an edited message, the id of what was said there first. 0: its own id."""

    @property
    def place(self) -> int:
        """Entries stand in its order, and a session is cleared up to one."""
        return self.place_id or self.message_id


def serialize_entry(entry: MemoryEntry) -> str:
    """The entry as JSON. Length and id come first: scripts in Redis read them without parsing the rest."""
    return json.dumps(
        {
            "chars": len(entry.content),
            "message_id": entry.message_id,
            "role": entry.role,
            "content": entry.content,
            "timestamp": entry.timestamp.isoformat(),
            **({"place_id": entry.place_id} if entry.place_id else {}),
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def parse_entry(text: str | bytes) -> MemoryEntry:
    """What `serialize_entry` wrote."""
    data = json.loads(text)
    return MemoryEntry(
        message_id=data["message_id"],
        role=data["role"],
        content=data["content"],
        timestamp=dt.datetime.fromisoformat(data["timestamp"]),
        place_id=data.get("place_id", 0),
    )


def shorten(content: str, *, max_chars: int) -> str:
    """The content, or where it alone would fill the memory, its head and its tail: a negation often comes last."""
    if len(content) <= max_chars:
        return content
    if max_chars < len(GAP) + 3:
        return content[:max_chars]
    tail = (max_chars - len(GAP)) * 4 // 9
    head = max_chars - len(GAP) - tail
    return f"{content[:head]}{GAP}{content[-tail:]}"


def trim_entries(entries: Sequence[MemoryEntry], *, max_messages: int, max_chars: int) -> tuple[MemoryEntry, ...]:
    """The newest entries, whole, that fit both bounds; the script that appends trims the same way."""
    kept: list[MemoryEntry] = []
    chars = 0
    for entry in reversed(entries[-max_messages:]):
        chars += len(entry.content)
        if chars > max_chars:
            break
        kept.append(entry)
    return tuple(reversed(kept))


def cut_at_silence(entries: Sequence[MemoryEntry], *, now: dt.datetime, ttl: dt.timedelta) -> tuple[MemoryEntry, ...]:
    """The entries since the last silence as long as the TTL: what a sliding TTL would have left."""
    kept: list[MemoryEntry] = []
    later = now
    for entry in reversed(entries):
        if later - entry.timestamp >= ttl:
            break
        kept.append(entry)
        later = entry.timestamp
    return tuple(reversed(kept))
