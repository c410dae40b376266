"""What a session remembers for one turn: its talk with the NPC, and what its player prefers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.context.core.budgets import Budget
from runtime.context.core.facts import Fact, list_outranked
from runtime.context.identity.talk import Entry, read_talk
from runtime.context.request import ContextRequest
from runtime.session_memory.core.keys import SessionRef
from runtime.session_memory.core.preferences import Preference
from runtime.session_memory.selectors import load_short_memory


@dataclass(frozen=True, slots=True)
class SessionTalk:
    """The talk with the NPC in the session, oldest first."""

    entries: tuple[Entry, ...]
    answered_id: int | None
    preference: Preference | None
    """Without what was inferred where the player asked for something for good."""
    degraded: tuple[str, ...]
    is_rebuilt: bool
    """Whether Redis did not hold it, and it came from RAW."""


def load_session_talk(request: ContextRequest, budget: Budget, facts: Sequence[Fact]) -> SessionTalk | None:
    """What the session remembers; None without a session. One round trip to Redis, and a query where it has nothing."""
    if request.session_id is None:
        return None
    session = SessionRef(request.tenant_id, request.world_id, request.session_id)
    memory = load_short_memory(session, request.npc_id or "", current_message_id=request.message_id)
    said = [Entry(entry.message_id, entry.role, entry.content) for entry in memory.entries]
    entries, answered_id = read_talk(said, request, limit=budget.layers["talk"].item_tokens)
    return SessionTalk(
        entries=entries,
        answered_id=answered_id,
        preference=None if memory.preference is None else memory.preference.leave_out(list_outranked(facts)),
        degraded=memory.degraded,
        is_rebuilt=memory.rebuilt,
    )
