"""What is known of the player."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from knowledge.facts.core.instructions import INSTRUCTION
from knowledge.facts.core.types import DEFAULT_KEYS, PROTECTED_TYPES
from runtime.context.core.facts import Fact
from runtime.context.core.pack import Item, Provenance
from runtime.context.sources.source import Found, Source
from runtime.context.turn import ResolvedTurn

RELIABLE_SOURCES = frozenset({"instant_pattern", "onboarding"})
RELIABLE_FROM = 0.9
OLD_AFTER = dt.timedelta(days=90)
"""An episode of the last 30 days outweighs a fact older than this. Source: seed 002, fix 10."""
_PLAIN_KEYS = frozenset(DEFAULT_KEYS.values())


class Facts(Source[None]):
    """Facts of the player but for their instructions."""

    name = "facts"
    layer = "facts"

    def build_items(self, turn: ResolvedTurn, found: Found) -> Sequence[Item]:
        """What concerns safety first, then the newest."""
        return [] if turn.player is None else build_fact_items(turn.player.facts, now=turn.now)


def build_fact_items(facts: Sequence[Fact], *, now: dt.datetime) -> list[Item]:
    """What is known of the player but for their instructions: what concerns safety first, then the newest."""
    told = [fact for fact in facts if fact.type != INSTRUCTION]
    ranked = sorted(told, key=lambda fact: (fact.type not in PROTECTED_TYPES, -fact.valid_from.timestamp(), -fact.id))
    return [
        build_known_item(
            fact,
            _say_fact(fact),
            template=_choose_fact_line(fact, now),
            label=f"fact_{fact.type}",
            is_protected=fact.type in PROTECTED_TYPES,
        )
        for fact in ranked
    ]


def build_known_item(fact: Fact, text: str, *, template: str, label: str, is_protected: bool) -> Item:
    """A line for a known fact; `label` is the term that says what kind it is."""
    return Item(
        id=f"fact:{fact.id}",
        text=text,
        provenance=Provenance(
            "fact",
            {"fact_id": fact.id, "type": fact.type, "source": fact.source, "is_disputed": fact.is_disputed},
            evidence=fact.evidence,
            scores={"confidence": fact.confidence},
        ),
        template=template,
        terms={"type": label},
        is_protected=is_protected,
    )


def _say_fact(fact: Fact) -> str:
    """The value, with the key where that adds something."""
    value, key = fact.value, fact.key.replace("_", " ")
    folded = value.casefold()
    if not key or key in _PLAIN_KEYS or key.casefold() in folded or folded in key.casefold():
        return value
    return f"{value} ({key})"


def _choose_fact_line(fact: Fact, now: dt.datetime) -> str:
    if fact.is_disputed:
        return "fact_disputed_kept" if fact.type in PROTECTED_TYPES else "fact_disputed"
    is_reliable = fact.source in RELIABLE_SOURCES and fact.confidence >= RELIABLE_FROM
    is_old = now - fact.valid_from > OLD_AFTER
    return "_".join(["fact", *(["reliable"] if is_reliable else []), *(["old"] if is_old else [])])
