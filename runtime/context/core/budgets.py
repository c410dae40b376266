"""How many tokens a pack may take, as a whole and in each layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

SUMMARY_ROOM = 150
"""Tokens of a summary of 120 with its line: the talk itself keeps what it had."""


@dataclass(frozen=True, slots=True)
class LayerBudget:
    """What one layer may take. Its first `min_tokens` are filled before any layer gets more than its own."""

    max_tokens: int
    min_tokens: int = 0
    max_items: int = 100
    item_tokens: int | None = None
    """The longest that one item is made; a longer text is told by an excerpt."""
    priority: int = 0
    """The higher is filled first."""


@dataclass(frozen=True, slots=True)
class LayerOverride:
    """What a caller wants otherwise for one layer; None leaves it."""

    max_tokens: int | None = None
    min_tokens: int | None = None
    max_items: int | None = None
    priority: int | None = None


@dataclass(frozen=True, slots=True)
class DensityCap:
    """How much of a pack episodes may be for a user with fewer than `below_messages` messages."""

    below_messages: int | None
    max_items: int
    share: float


@dataclass(frozen=True, slots=True)
class Budget:
    """The whole pack's limit, and each layer's."""

    total: int
    layers: Mapping[str, LayerBudget]
    message_overhead: int = 4
    """What a chat format adds to each message: role and delimiters."""

    def fit_to_player(self, caps: Sequence[DensityCap], *, message_count: int, has_summary: bool) -> Budget:
        """Fewer episodes for a newer player (source: seed 002, fix 6), and room for a summary of the talk."""
        cap = choose_density_cap(caps, message_count)
        capped = self.cap("episodes", max_items=cap.max_items, share=cap.share)
        return capped.make_room("talk", tokens=SUMMARY_ROOM) if has_summary else capped

    def cap(self, name: str, *, max_items: int, share: float) -> Budget:
        """The budget with one layer held to a number of items and a share of the whole."""
        layer = self.layers[name]
        tokens = min(layer.max_tokens, int(self.total * share))
        capped = replace(
            layer,
            max_tokens=tokens,
            min_tokens=min(layer.min_tokens, tokens),
            max_items=min(layer.max_items, max_items),
        )
        return replace(self, layers={**self.layers, name: capped})

    def make_room(self, name: str, *, tokens: int) -> Budget:
        """The budget with room in a layer for one more item of so many tokens."""
        layer = self.layers[name]
        if not layer.max_items:
            return self
        wider = replace(layer, max_tokens=layer.max_tokens + tokens, max_items=layer.max_items + 1)
        return replace(self, layers={**self.layers, name: wider})

    def override(self, *, total: int | None, layers: Mapping[str, LayerOverride]) -> Budget:
        """The budget as a caller wants it. A new maximum below a layer's minimum lowers that too."""
        changed = dict(self.layers)
        for name, wanted in layers.items():
            layer = self.layers[name]
            max_tokens = layer.max_tokens if wanted.max_tokens is None else wanted.max_tokens
            min_tokens = layer.min_tokens if wanted.min_tokens is None else wanted.min_tokens
            changed[name] = replace(
                layer,
                max_tokens=max_tokens,
                min_tokens=min(min_tokens, max_tokens),
                max_items=layer.max_items if wanted.max_items is None else wanted.max_items,
                priority=layer.priority if wanted.priority is None else wanted.priority,
            )
        return replace(self, total=self.total if total is None else total, layers=changed)


def choose_density_cap(caps: Sequence[DensityCap], total_messages: int) -> DensityCap:
    """The first cap that the user is still below; the last for everyone else."""
    return next(cap for cap in caps if cap.below_messages is None or total_messages < cap.below_messages)
