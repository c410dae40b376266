"""The last messages between the player and whoever speaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.context.core.pack import Item, Provenance
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class Talk(Source[None]):
    """The talk of the session, where it has any, in place of the conversation's."""

    name = "talk"
    layer = "talk"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """Oldest first; the newest stay the longest."""
        name, ids = _name_origin(turn)
        items = []
        for place, (message_id, role, text) in enumerate(turn.talk):
            is_user = role == "user"
            items.append(
                Item(
                    id=f"message:{message_id}",
                    text=text,
                    provenance=Provenance(name, {**ids, "message_id": message_id}, evidence=(message_id,)),
                    template="user" if is_user else "assistant" if turn.speaker else "assistant_unnamed",
                    values={} if is_user or not turn.speaker else {"name": turn.speaker},
                    priority=place,
                )
            )
        return items


def _name_origin(turn: ResolvedTurn) -> tuple[str, Mapping[str, Any]]:
    if turn.session is not None and turn.session.entries:
        return "session", {"session_id": turn.request.session_id}
    return "conversation", {"conversation_id": None if turn.player is None else turn.player.conversation_id}
