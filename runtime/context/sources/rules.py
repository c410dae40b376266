"""Passages of the rules that the message calls for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.context.core.pack import Item
from runtime.context.identity.releases import RULES
from runtime.context.relevance_filter import Verdict
from runtime.context.sources.canon import judge_rules
from runtime.context.sources.lore import Lore
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class Rules(Source[None]):
    """Rules, found by the search of `Lore`."""

    name = "rules"
    layer = "rules"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """Those of the place's own article first, then the best."""
        canon = found.get(Lore)
        return () if canon is None else canon.items.get(RULES, ())

    def judge_items(self, turn: ResolvedTurn, found: Found) -> Mapping[str, Verdict]:
        """Whether the message calls for them; where there is no lore, all are told."""
        return judge_rules(found.get(Lore), turn.message, turn.settings.to_relevance_filter())
