"""What a search among events starts from: how many there are, what words weigh, and whom they name. One query."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from episodes.events.core.names import fold_name
from episodes.events.core.references import KnownName
from episodes.events.selectors.event_filters import SQL, EventFilters
from knowledge.graph.selectors.near_names import NOTHING_NEAR, READ, NearNames, read_near, render_near_names
from knowledge.search.core.lexemes import hash_lexeme
from knowledge.search.sql import read_query
from knowledge.text.queries import count_query_lexemes
from memoryproject.prepared import prepared_cursor
from memoryproject.rows import fetch_rows

MAX_NAMES = 3000
"""Names of a player that a question is held against, the newest."""
GRAPH_NAME = "entity"
"""The type of a name that the graph alone knows."""
IN_CAMPAIGN = (
    "SELECT c.id FROM episodes_campaign c WHERE c.tenant_id = %(tenant_id)s AND c.world_id = %(world_id)s"
    " AND c.external_id = %(campaign_id)s"
)


@dataclass(frozen=True, slots=True)
class EventPool:
    """What there is to search."""

    count: int
    foreign: int
    frequencies: Mapping[int, int]
    names: tuple[KnownName, ...]
    near: NearNames = NOTHING_NEAR
    asked: frozenset[str] = frozenset()
    """The lexemes whose frequencies were read."""


def read_pool(filters: EventFilters, query: str, *, space: str) -> EventPool:
    """How many events there are, what the query's lexemes weigh among them, and their names. One query."""
    where, parameters = filters.render()
    tables, reads = "", "NULL"
    if filters.graph is not None:
        linked = (
            "SELECT l.entity_id, s.node_id AS source FROM searched s JOIN episodes_eventname l ON l.node_id = s.node_id"
        )
        tables, more = render_near_names(
            filters.graph,
            linked=f"{linked} WHERE l.entity_id IS NOT NULL",
            play={"conversation": "SELECT s.conversation_id FROM searched s", "campaign": IN_CAMPAIGN},
        )
        tables, reads = f", {tables}", READ
        parameters = parameters | more | {"campaign_id": filters.campaign_id}
    by_hash = {hash_lexeme(filters.partition_id, lexeme): lexeme for lexeme in count_query_lexemes(query)}
    # Planned once a connection: the tables of the graph take longer to plan than to read.
    with prepared_cursor() as cursor:
        cursor.execute(
            read_query(SQL / "event_statistics.sql").format(condition=where, graph=tables, read_graph=reads),
            {**parameters, "lexemes": list(by_hash), "vector_space": space, "max_names": MAX_NAMES},
        )
        [row] = fetch_rows(cursor)
    near = read_near(read_json(row["graph"], None))
    return EventPool(
        row["event_count"],
        row["foreign_count"],
        {int(key): value for key, value in read_json(row["frequencies"], {}).items()},
        _join_names(read_json(row["names"], []), near),
        near,
        frozenset(by_hash.values()),
    )


def _join_names(rows: Sequence[Mapping[str, Any]], near: NearNames) -> tuple[KnownName, ...]:
    """The names of events with whom they mean, and what else the graph calls these and their neighbours."""
    roots = {entity_id: root for root, ids in near.members.items() for entity_id in ids}
    known = {
        row["folded"]: KnownName(
            row["name"],
            row["folded"],
            row["type"],
            row["events"],
            tuple(sorted({roots[entity_id] for entity_id in row["entity_ids"] or () if entity_id in roots})),
        )
        for row in rows
    }
    for text, leads in near.names.items():
        folded = _fold(text)
        if not folded:
            continue
        each = known.get(folded) or KnownName(text, folded, GRAPH_NAME)
        known[folded] = replace(each, type=each.type or GRAPH_NAME, roots=tuple(sorted({*each.roots, *leads})))
    return tuple(known.values())


_fold = functools.lru_cache(maxsize=50_000)(fold_name)


def read_json(value: Any, default: Any) -> Any:
    """A value of JSON, which the driver may give as text; the default for a null."""
    if value is None:
        return default
    return json.loads(value) if isinstance(value, str) else value
