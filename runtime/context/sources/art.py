"""How the scene looks."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.context.core.pack import Item, Provenance
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class Art(Source[None]):
    """The newest safe picture of the scene, in words."""

    name = "art"
    layer = "art"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """Its tags and its style."""
        picture = turn.cast.picture
        if picture is None:
            return []
        source = Provenance("art_card", {"image_id": picture.image_id, "seed": picture.seed})
        text = turn.prompts.words["list_separator"].join(picture.tags)
        return [Item(f"art:{picture.image_id}", text, source, template="card_styled", values={"style": picture.style})]
