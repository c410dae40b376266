"""Who some entities of play are called, and who is one step from them, as a part of a statement of another app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knowledge.graph.core.owners import OwnerKind
from knowledge.graph.core.views import GraphReader
from knowledge.graph.selectors.readers import build_condition, build_named, list_parameters
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"
HUB_CAP = 40
"""Relations of one entity, each way: what everything is joined to tells nothing apart."""
MAX_GRAPH_NAMES = 2000
READ = (
    "jsonb_build_object("
    "'counts', (SELECT jsonb_agg(jsonb_build_object('root', root, 'sources', sources, 'ids', ids)) FROM graph_counts), "
    "'near', (SELECT jsonb_agg(jsonb_build_object('root', root, 'other', other)) FROM graph_near), "
    "'names', (SELECT jsonb_agg(jsonb_build_object('text', text, 'root', root)) FROM graph_names))"
)
"""The expression that reads the tables as one JSON: `read_near` takes it."""


@dataclass(frozen=True, slots=True)
class NearNames:
    """Names to entities, entities to their neighbours, and how many sources name each."""

    names: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    near: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Neighbours that sources name, in either direction."""
    counts: Mapping[int, int] = field(default_factory=dict)
    members: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Entities that sources name, by what stands for them."""


NOTHING_NEAR = NearNames()


def render_near_names(reader: GraphReader, *, linked: str, play: Mapping[OwnerKind, str]) -> tuple[str, dict[str, Any]]:
    """Common tables of the entities of `linked` (a query of entity_id, source), and their parameters.

    What the reader may not know is neither name nor step. `play` is kind of owner to a query of ids.
    """
    relation = build_condition(reader, "x", play=play)
    tables = read_query(SQL / "near_names.sql").format(
        linked=linked,
        visible_relation=relation,
        visible_name=build_condition(reader, "n", play=play),
        named_near=build_named(reader, "g.root", "x", play=play),
        named_other=build_named(reader, "COALESCE(o.merged_into_id, o.id)", "x", play=play),
    )
    limits = {"hub_cap": HUB_CAP, "max_graph_names": MAX_GRAPH_NAMES}
    return tables, list_parameters(reader) | limits


def read_near(document: Mapping[str, Any] | None) -> NearNames:
    """What `READ` gave; nothing where nothing is linked."""
    if not document:
        return NOTHING_NEAR
    names: dict[str, list[int]] = {}
    for name in document["names"] or ():
        names.setdefault(name["text"], []).append(name["root"])
    counts = document["counts"] or ()
    near: dict[int, dict[int, None]] = {}
    for step in document["near"] or ():
        near.setdefault(step["other"], {})[step["root"]] = None
    return NearNames(
        {text: tuple(roots) for text, roots in names.items()},
        {root: tuple(others) for root, others in near.items()},
        {each["root"]: each["sources"] for each in counts},
        {each["root"]: tuple(each["ids"]) for each in counts},
    )
