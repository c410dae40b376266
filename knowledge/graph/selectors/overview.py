"""The graph of a whole world, for people: what hangs together most first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from knowledge.graph.core.views import EntitySummary, GraphReader, RelationView
from knowledge.graph.selectors.entities import fetch, list_summaries
from knowledge.graph.selectors.neighbourhood import list_relations
from knowledge.graph.selectors.readers import build_condition, list_parameters
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"
MAX_SHOWN = 300
"""More entities than these are a picture of nothing."""
MAX_RELATIONS_SHOWN = 1500


@dataclass(frozen=True, slots=True)
class GraphOverview:
    """Entities and relations of a world in one state."""

    entities: tuple[EntitySummary, ...]
    relations: tuple[RelationView, ...]
    total: int
    """Entities that have a name, shown or not."""


def get_overview(reader: GraphReader, *, limit: int = MAX_SHOWN) -> GraphOverview:
    """The world's entities with most relations, and the relations between them. Four queries."""
    statement = read_query(SQL / "degrees.sql").format(
        visible=build_condition(reader, "x"), known=build_condition(reader, "n")
    )
    rows = fetch(statement, list_parameters(reader) | {"limit": limit})
    ids = [row["entity_id"] for row in rows]
    return GraphOverview(
        entities=list_summaries(reader, ids),
        relations=list_relations(reader, ids, limit=MAX_RELATIONS_SHOWN),
        total=rows[0]["total"] if rows else 0,
    )
