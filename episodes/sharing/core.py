"""How knowledge of scenes spreads between NPCs when a scene ends; the order of what it is given does not count."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from npcs.profiles.core.relations import Relation

MAX_HOPS = 2
"""From who was there, or was told by the engine, to a friend, and to a friend of that one. Source: spec P2."""


class Thing(NamedTuple):
    """A summary of a scene or an event between scenes, by its kind and primary key."""

    kind: str
    pk: int


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What an NPC learned, and so many scene ends ago: 0 in the scene that ends now."""

    npc_id: str
    thing: Thing
    party_id: str
    age: int
    hop: int = 0
    """0: it was there, or the engine told it."""
    is_rumour: bool = False
    told_pk: int | None = None
    """Of the row by which it was told; None: it was there, or this scene's end tells it."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Who tells whom what."""

    teller: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Share:
    """What one NPC tells another when a scene ends."""

    listener: str
    teller: str
    thing: Thing
    party_id: str
    hop: int
    is_rumour: bool
    via: Knowledge
    """What the teller knows it by."""


def spread_knowledge(
    knowledge: Iterable[Knowledge],
    edges: Collection[Edge],
    *,
    knows: Callable[[str, Thing], bool],
    disposition: Callable[[str, str], float],
    keeps: Callable[[str, Thing], bool],
) -> list[Share]:
    """What is told now, by listener and thing.

    Each NPC tells what it learned as many scene ends ago as its relation delays, once; so nothing that was taken back
    is told again. Who knows already is told nothing. Of several tellers the one counts that tells no rumour, is nearest
    to the scene, has the stronger relation, and comes first by id. What is learned now may be told on at once, up to
    two hops from who was there. `disposition(npc, party)` is how a teller stands towards the party of a scene;
    `keeps(npc, thing)`, whether it gives away a secret of its own.

    Worked example: Ann was there; Ann tells Bo all, Bo tells Cy rumours, Cy tells Di all. Bo knows at hop 1, Cy of a
    rumour at hop 2, and Di nothing: that would be a third hop.
    """
    by_teller: dict[str, list[Relation]] = {}
    for edge in edges:
        by_teller.setdefault(edge.teller, []).append(edge.relation)
    told: dict[tuple[str, Thing], Share] = {}
    frontier = list(knowledge)
    while frontier:
        offers: dict[tuple[str, Thing], tuple[tuple[bool, int, int, str], Share]] = {}
        for known in frontier:
            if keeps(known.npc_id, known.thing):
                continue
            for relation in by_teller.get(known.npc_id, ()):
                key = (relation.npc_id, known.thing)
                if key in told or knows(*key) or not _tells(known, relation, disposition):
                    continue
                share = _make_share(known, relation)
                rank = (share.is_rumour, share.hop, -relation.strength, share.teller)
                if key not in offers or rank < offers[key][0]:
                    offers[key] = (rank, share)
        fresh = {key: share for key, (_, share) in offers.items()}
        told |= fresh
        frontier = [_learn(share) for share in fresh.values()]
    return sorted(told.values(), key=lambda share: (share.hop, share.listener, share.thing))


def _tells(known: Knowledge, relation: Relation, disposition: Callable[[str, str], float]) -> bool:
    return (
        relation.shares != "none"
        and relation.npc_id != known.npc_id
        and known.hop < MAX_HOPS
        and known.age == relation.delay
        and relation.is_open(disposition(known.npc_id, known.party_id))
    )


def _make_share(known: Knowledge, relation: Relation) -> Share:
    return Share(
        listener=relation.npc_id,
        teller=known.npc_id,
        thing=known.thing,
        party_id=known.party_id,
        hop=known.hop + 1,
        is_rumour=known.is_rumour or relation.shares == "rumour",
        via=known,
    )


def _learn(share: Share) -> Knowledge:
    return Knowledge(share.listener, share.thing, share.party_id, age=0, hop=share.hop, is_rumour=share.is_rumour)


def list_delays(edges: Iterable[Edge]) -> frozenset[int]:
    """How many scene ends ago what is told now may have been learned."""
    return frozenset(edge.relation.delay for edge in edges)


def find_segments(ages: Mapping[int | None, int], wanted: Collection[int]) -> list[int | None]:
    """Of checkpoints with their ages (None: before the first one), those of the wanted ages."""
    return [segment for segment, age in ages.items() if age in wanted]
