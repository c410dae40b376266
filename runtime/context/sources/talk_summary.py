"""What was said before the talk that is told."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.context.core.pack import Item, Provenance
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class TalkSummary(Source[None]):
    """The older talk as a model summed it up; never a source of facts."""

    name = "talk_summary"
    layer = "talk"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """One line before the talk, or none."""
        older = turn.older_talk
        if older is None or not older.text:
            return []
        return [
            Item(
                id=f"talk_summary:{older.summary_id or 0}",
                text=older.text,
                provenance=Provenance(
                    "talk_summary", {"conversation_id": older.conversation_id}, evidence=older.evidence
                ),
                template="summary",
                priority=-1,
                is_apart=True,
            )
        ]
