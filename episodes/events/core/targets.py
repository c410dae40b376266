"""What a question's names weigh: a rare name tells events apart, and who is one step away counts for half."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from episodes.events.core.references import KnownName

NEAR_SHARE = 0.5
"""Of the weight of a name for an event that names only somebody one step from it in the graph."""
MAX_NEAR = 12
"""Neighbours of one name in the player's events; with more, nearness tells nothing apart."""


@dataclass(frozen=True, slots=True)
class Targets:
    """Parallel lists for the statement that searches: by folded names, and by entities of the graph."""

    names: list[str] = field(default_factory=list)
    name_refs: list[int] = field(default_factory=list)
    name_weights: list[float] = field(default_factory=list)
    entities: list[int] = field(default_factory=list)
    entity_refs: list[int] = field(default_factory=list)
    entity_weights: list[float] = field(default_factory=list)


def weigh_targets(
    references: Sequence[KnownName],
    *,
    total: int,
    near: Mapping[int, Sequence[int]],
    counts: Mapping[int, int],
    members: Mapping[int, Sequence[int]],
) -> Targets:
    """Whom the events are searched for. The weights of all names together are 1.

    `near` are neighbours that events name, `counts` and `members` how many events name an entity, and under which ids.
    Worked example: of 100 events 2 name Irina and 60 the tavern: their shares are .89 and .11.
    """
    targets = Targets()
    rarities = [_measure_rarity(each, total, counts) for each in references]
    whole = sum(rarities) or 1.0
    for ref, (each, rarity) in enumerate(zip(references, rarities, strict=True)):
        weight = rarity / whole
        targets.names.append(each.folded)
        targets.name_refs.append(ref)
        targets.name_weights.append(weight)
        beside = {other for root in each.roots for other in near.get(root, ())} - set(each.roots)
        steps = [(root, weight) for root in each.roots]
        steps += [(root, weight * NEAR_SHARE) for root in sorted(beside)] if len(beside) <= MAX_NEAR else []
        for root, share in steps:
            for entity_id in members.get(root, ()):
                targets.entities.append(entity_id)
                targets.entity_refs.append(ref)
                targets.entity_weights.append(share)
    return targets


def _measure_rarity(name: KnownName, total: int, counts: Mapping[int, int]) -> float:
    """How much a name tells events apart, as idf does; what stands in all of them still tells a little."""
    events = max([name.events, *(counts.get(root, 0) for root in name.roots)])
    return math.log((total + 1.0) / (min(events, total) + 0.5)) + 0.05
