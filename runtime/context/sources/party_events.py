"""What happened to the party between scenes."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.context.core.pack import Item, Provenance
from runtime.context.identity.party import choose_hearsay_line, name_teller
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class PartyEvents(Source[None]):
    """Events with notes, as far as whoever speaks was told of them."""

    name = "party_events"
    layer = "state"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """What happened between scenes, in the order in which it was told; the newest stays longer than any flag."""
        party = turn.party
        if party is None:
            return []
        return [
            Item(
                id=f"event:{event.event_id}",
                text=event.notes,
                provenance=Provenance(
                    "event",
                    {
                        "event_id": event.event_id,
                        "campaign_id": party.campaign_id,
                        "told_by": event.source,
                        **({"rumour": True} if event.is_rumour else {}),
                    },
                ),
                template=choose_hearsay_line(event, "note", "note_told"),
                values=name_teller(event, turn.prompts.language),
                priority=len(party.flags) + 1 if event is party.events[0] else 0,
            )
            for event in reversed(party.events)
        ]
