"""How two entities hang together: the shortest ways from one to the other."""

from __future__ import annotations

import itertools
from pathlib import Path

from knowledge.graph.core.paths import Edge, PathSearch
from knowledge.graph.core.views import GraphPath, GraphReader, PathResult, RelationView
from knowledge.graph.selectors.entities import fetch, get_entity, list_summaries
from knowledge.graph.selectors.neighbourhood import list_relations
from knowledge.graph.selectors.readers import build_condition, build_named, list_parameters
from knowledge.search.sql import read_query
from memoryproject.rest.errors import InvalidParameter

SQL = Path(__file__).parent.parent / "sql"
MAX_STEPS = 4
PATH_HUB_CAP = 200
"""Neighbours that one entity brings to a search for paths."""
MAX_FRONTIER = 2000
"""Entities of one distance: with more, anything hangs together with anything."""
MAX_PATHS = 5


def find_paths(reader: GraphReader, from_id: int, to_id: int, *, max_steps: int = MAX_STEPS) -> PathResult:
    """The shortest paths of at most `max_steps` steps, up to five; none if there is none that the reader may know.

    Searched from both ends, one query a step, then three for what stands on the paths. Raises EntityUnknown,
    InvalidQuery.
    """
    if not 1 <= max_steps <= MAX_STEPS:
        raise InvalidParameter(f"max must lie between 1 and {MAX_STEPS}.")
    start, goal = get_entity(reader, from_id), get_entity(reader, to_id)
    search = PathSearch(start.entity_id, goal.entity_id, max_frontier=MAX_FRONTIER)
    while search.steps < max_steps and not search.is_done:
        search.add(_expand(reader, search.frontier))
    ways = search.list_paths(MAX_PATHS)
    nodes = list(dict.fromkeys(node for way in ways for node in way))
    relations = list_relations(reader, nodes)
    paths = tuple(GraphPath(way, _list_steps(way, relations)) for way in ways)
    shown = nodes or list(dict.fromkeys((start.entity_id, goal.entity_id)))
    return PathResult(paths, list_summaries(reader, shown), search.is_capped)


def _expand(reader: GraphReader, frontier: list[int]) -> list[Edge]:
    statement = read_query(SQL / "expand.sql").format(
        visible=build_condition(reader, "x"), named=build_named(reader, "COALESCE(e.merged_into_id, e.id)", "x")
    )
    parameters = list_parameters(reader) | {"frontier": frontier, "hub_cap": PATH_HUB_CAP}
    return [Edge(row["from_id"], row["to_id"]) for row in fetch(statement, parameters)]


def _list_steps(way: tuple[int, ...], relations: tuple[RelationView, ...]) -> tuple[RelationView, ...]:
    """One relation for each step of a path, of the highest authority."""
    steps: list[RelationView] = []
    for one, other in itertools.pairwise(way):
        joining = (each for each in relations if {each.src, each.dst} == {one, other} and each.state == "active")
        steps += [step for step in (next(joining, None),) if step is not None]
    return tuple(steps)
