"""The state of the party's world: flags as they were set last."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.campaigns.core.summaries import humanise, render_flag_value
from runtime.context.core.pack import Item, Provenance
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class Flags(Source[None]):
    """Flags, as whoever speaks knows them."""

    name = "flags"
    layer = "state"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """The flags by name; what was set last stays the longest."""
        party = turn.party
        if party is None:
            return []
        ranks = {flag.name: rank for rank, flag in enumerate(reversed(party.flags), start=1)}
        return [
            Item(
                id=f"flag:{flag.name}",
                text=render_flag_value(flag.value, turn.prompts.language),
                provenance=Provenance(
                    "flag",
                    {"flag": flag.name, "summary_id": flag.summary_id, "event_id": flag.event_id},
                ),
                template="flag",
                values={"name": humanise(flag.name)},
                priority=ranks[flag.name],
            )
            for flag in sorted(party.flags, key=lambda flag: flag.name)
        ]
