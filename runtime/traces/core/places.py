"""What ordering anew is worth: whether the items that an answer used had come nearer to the front.

The search's fused scores give an item its first place; rerank, names that the message says, the player's mood and the
place of the scene the one in which it stood before the budget. The gain is the mean of 1/place less 1/first place over
the items that were used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from runtime.context.core.pack import FUSED_PLACE, PLACE, RERANK_PLACE, Item
from runtime.traces.core.traces import TracedItem


@dataclass(frozen=True, slots=True)
class RankSums:
    """Sums over items that were used: of 1/place by the fused score, and of 1/place as they were told."""

    items: int = 0
    fused: float = 0.0
    told: float = 0.0

    @property
    def gain(self) -> float | None:
        """The mean gain, from -1 to 1; None without an item."""
        return (self.told - self.fused) / self.items if self.items else None

    def add(self, more: Mapping[str, Any]) -> RankSums:
        """With the sums of another turn, as `to_json` wrote them."""
        return RankSums(self.items + more["items"], self.fused + more["fused"], self.told + more["told"])

    def to_json(self) -> dict[str, Any]:
        """The sums as they are stored."""
        return {"items": self.items, "fused": self.fused, "told": self.told}


def add_up_places(used: Iterable[TracedItem]) -> dict[str, RankSums]:
    """Layer to its sums; layers whose items were not searched for have none."""
    sums: dict[str, RankSums] = {}
    for each in used:
        scores = each.item.provenance.scores
        fused, told = scores.get(FUSED_PLACE), scores.get(PLACE)
        if fused and told:
            before = sums.get(each.layer, RankSums())
            sums[each.layer] = before.add({"items": 1, "fused": 1 / fused, "told": 1 / told})
    return sums


def was_reranked(item: Item) -> bool:
    """Whether a model had a say in its place: asked again, it may say otherwise."""
    return item.provenance.scores.get(RERANK_PLACE) is not None
