"""The message to be answered."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.context.core.pack import USER, Item, Provenance
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class OwnWords(Source[None]):
    """The player's own words, as they are; never cut."""

    name = "own_words"
    layer = USER

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """One item; by the message's id in RAW, where it has one, it is told nowhere else."""
        message_id = turn.request.message_id
        source = Provenance("request", {} if message_id is None else {"message_id": message_id})
        return [Item(f"message:{message_id or 'current'}", turn.message.text, source, is_protected=True)]
