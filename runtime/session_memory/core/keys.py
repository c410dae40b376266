"""Names of keys: distinct tenants, worlds, sessions and NPCs never share one, whatever their ids hold."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from urllib.parse import quote

MAX_PART_LENGTH = 200


@dataclass(frozen=True, slots=True)
class SessionRef:
    """One play session in one world of one tenant."""

    tenant_id: int
    world_id: int
    session_id: str


def encode_part(text: str) -> str:
    """The text by percent signs, so that it holds no colon; a long one by its SHA-256, marked by `=`.

    Neither form can look like the other: percent-encoding leaves no `=`.
    """
    encoded = quote(text, safe="", errors="surrogatepass")
    if len(encoded) <= MAX_PART_LENGTH:
        return encoded
    return f"sha256={hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def name_short_memory(session: SessionRef, npc_id: str) -> str:
    """`session:short:{tenant}:{site}:{session}:{npc}`: a list, the talk with one NPC. Source: seed 004."""
    return f"session:short:{_name(session)}:{encode_part(npc_id)}"


def name_preference(session: SessionRef) -> str:
    """`session:pref:{tenant}:{site}:{session}`: a hash that the session's NPCs share. Source: seed 004."""
    return f"session:pref:{_name(session)}"


def name_npcs(session: SessionRef) -> str:
    """`session:npcs:{tenant}:{site}:{session}`: a hash of the NPCs that have a list, and of what was cleared."""
    return f"session:npcs:{_name(session)}"


def _name(session: SessionRef) -> str:
    return f"{session.tenant_id}:{session.world_id}:{encode_part(session.session_id)}"
