"""Shortest paths in a graph that is read a step at a time, from both ends at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


class Edge(NamedTuple):
    """A step that can be taken in either direction."""

    here: int
    there: int


@dataclass(slots=True)
class _Side:
    """What was reached from one end: each entity with its distance and from where it was reached."""

    frontier: list[int]
    distance: dict[int, int]
    parents: dict[int, set[int]] = field(default_factory=dict)


class PathSearch:
    """A search in both directions; the caller reads the neighbours of `frontier` and adds them.

    Worked example: from 1 to 3 over 1–2 and 2–3, two steps: the first adds 2 from the side of 1, the second adds 2 from
    the side of 3, where the sides meet.
    """

    def __init__(self, start: int, goal: int, *, max_frontier: int) -> None:
        self._sides = (_Side([start], {start: 0}), _Side([goal], {goal: 0}))
        self._max_frontier = max_frontier
        self.steps = 0
        self.is_capped = False
        self.is_done = start == goal

    @property
    def frontier(self) -> list[int]:
        """The entities to be read next: of the side that has fewer."""
        return self._smaller().frontier

    def add(self, edges: Iterable[Edge]) -> None:
        """Take the neighbours of the frontier in as one step."""
        side = self._smaller()
        other = self._sides[1] if side is self._sides[0] else self._sides[0]
        depth = side.distance[side.frontier[0]] + 1 if side.frontier else 1
        reached: dict[int, None] = {}
        for here, there in edges:
            if side.distance.get(there, depth) != depth:
                continue
            side.parents.setdefault(there, set()).add(here)
            if there not in side.distance:
                side.distance[there] = depth
                reached[there] = None
        self.steps += 1
        self.is_capped = self.is_capped or len(reached) > self._max_frontier
        side.frontier = sorted(reached)[: self._max_frontier]
        self.is_done = not side.frontier or any(there in other.distance for there in reached)

    def list_paths(self, limit: int) -> list[tuple[int, ...]]:
        """The shortest paths found, in a fixed order."""
        one, other = self._sides
        meeting = set(one.distance) & set(other.distance)
        if not meeting:
            return []
        length = min(one.distance[node] + other.distance[node] for node in meeting)
        paths: dict[tuple[int, ...], None] = {}
        for node in sorted(meeting):
            if one.distance[node] + other.distance[node] != length:
                continue
            for head in _trace(one, node, limit):
                for tail in _trace(other, node, limit):
                    paths[(*reversed(head), *tail[1:])] = None
                    if len(paths) == limit:
                        return list(paths)
        return list(paths)

    def _smaller(self) -> _Side:
        one, other = self._sides
        return other if len(other.frontier) < len(one.frontier) else one


def _trace(side: _Side, node: int, limit: int) -> list[tuple[int, ...]]:
    """Ways from a node back to the side's own end, the node first."""
    ways: list[tuple[int, ...]] = [(node,)]
    for _ in range(side.distance[node]):
        longer = [(*way, parent) for way in ways for parent in sorted(side.parents[way[-1]])]
        ways = [way for way in longer if side.distance[way[-1]] == side.distance[way[-2]] - 1][:limit]
    return ways
