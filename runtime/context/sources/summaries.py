"""The party's last scenes, as far as whoever speaks knows of them."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.campaigns.core.summaries import render_summary
from runtime.context.core.pack import Item, Provenance
from runtime.context.identity.party import choose_hearsay_line, name_teller
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class Summaries(Source[None]):
    """Summaries of scenes."""

    name = "summaries"
    layer = "summaries"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """The last scenes in the order in which they happened; the newest stay the longest."""
        party = turn.party
        if party is None:
            return []
        return [
            Item(
                id=f"summary:{summary.summary_id}",
                text=render_summary(summary.notes, summary.outcome, turn.prompts.language),
                provenance=Provenance(
                    "summary",
                    {
                        "summary_id": summary.summary_id,
                        "scene_id": summary.scene_id,
                        "campaign_id": party.campaign_id,
                        "told_by": summary.source,
                        **({"rumour": True} if summary.is_rumour else {}),
                    },
                ),
                template=choose_hearsay_line(summary, "summary", "told"),
                values=name_teller(summary, turn.prompts.language),
                priority=place,
            )
            for place, summary in enumerate(reversed(party.summaries))
        ]
