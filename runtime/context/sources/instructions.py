"""How the player wants to be spoken to, for good."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.facts.core.instructions import INSTRUCTION, KINDS
from runtime.context.core.facts import Fact
from runtime.context.core.pack import Item
from runtime.context.sources.facts import build_known_item
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn

MAX_INSTRUCTIONS_LENGTH = 480
"""Characters of standing instructions that no pack leaves out: about 150 tokens, 300 in Arabic."""


class Instructions(Source[None]):
    """The player's standing instructions."""

    name = "instructions"
    layer = "instructions"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """Kinds first, then wishes in their own words, each the newest first."""
        return [] if turn.player is None else build_instruction_items(turn.player.facts)


def build_instruction_items(facts: Sequence[Fact]) -> list[Item]:
    """How the player wants to be spoken to: kinds first, then wishes in their own words, each the newest first.

    The first ones, within `MAX_INSTRUCTIONS_LENGTH` together, are told always; disputed ones are not protected.
    """
    wishes = [fact for fact in facts if fact.type == INSTRUCTION]
    ranked = sorted(
        wishes, key=lambda fact: (fact.is_disputed, fact.key not in KINDS, -fact.valid_from.timestamp(), -fact.id)
    )
    items, length = [], 0
    for fact in ranked:
        length += len(fact.value)
        items.append(
            build_known_item(
                fact,
                fact.value,
                template="instruction_disputed" if fact.is_disputed else "instruction",
                label=f"instruction_{fact.key if fact.key in KINDS else 'wish'}",
                is_protected=not fact.is_disputed and length <= MAX_INSTRUCTIONS_LENGTH,
            )
        )
    return items
