"""Which memory wins, and how to speak of it."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.facts.core.instructions import INSTRUCTION
from runtime.context.core.pack import MEMORY_RULES, Item, Provenance
from runtime.context.sources.episodes import Episodes
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn


class MemoryRules(Source[None]):
    """The rules of memory, in the wording of the world's kind or whole; only where facts or episodes are known."""

    name = "memory_rules"
    layer = MEMORY_RULES

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """The rules by name; their texts are in the prompts."""
        if turn.player is None:
            return []
        episodes = found.get(Episodes)
        has_facts = any(fact.type != INSTRUCTION for fact in turn.player.facts)
        if not has_facts and (episodes is None or not episodes.episodes):
            return []
        is_full = turn.settings.context.memory_rules == "full"
        names = ("arbitration", "naturalness") if is_full else (turn.cast.kind,)
        source = Provenance("prompt", {"file": turn.prompts.source})
        return [Item(f"memory_rules:{name}", "", source, template=name, is_protected=True) for name in names]
