"""Entities by name, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.db import connection

from knowledge.canon.core.names import storable_text
from knowledge.errors import LimitOutOfRange
from knowledge.graph.core.names import latin_key, list_trigrams, name_key
from knowledge.graph.core.views import EntityName, EntitySummary, GraphReader
from knowledge.graph.errors import EntityUnknown
from knowledge.graph.selectors.readers import build_condition, list_parameters
from knowledge.search.sql import read_query
from memoryproject.rows import fetch_rows

SQL = Path(__file__).parent.parent / "sql"
MAX_ENTITIES = 200
MAX_NAMES_SHOWN = 40


def find_entities(
    reader: GraphReader, query: str, *, kind: str | None = None, after: int = 0, limit: int = 20
) -> tuple[EntitySummary, ...]:
    """Entities that a name may mean, best first: equal names, the same in another script or a slug, then look-alikes.

    An empty query lists entities in the order in which they came, behind the entity `after`. Two queries. One more than
    MAX_ENTITIES may be asked for, to see whether others follow. Raises InvalidQuery.
    """
    if not 1 <= limit <= MAX_ENTITIES + 1:
        raise LimitOutOfRange(f"limit must lie between 1 and {MAX_ENTITIES}.")
    text = storable_text(query)
    key = name_key(text)
    statement = read_query(SQL / ("find_entities.sql" if key else "list_entities.sql"))
    parameters = list_parameters(reader) | {
        "key": key,
        "latin": latin_key(text),
        "slug": "-".join(text.casefold().split()),
        "grams": list(list_trigrams(key)),
        "kind": kind or "",
        "after": after,
        "limit": limit,
    }
    rows = fetch(statement.format(visible=build_condition(reader, "n")), parameters)
    return list_summaries(reader, [row["entity_id"] for row in rows])


def get_entity(reader: GraphReader, entity_id: int) -> EntitySummary:
    """The entity, or the one that stands for it. Raises EntityUnknown, alike for none and for one not to be known."""
    rows = fetch(
        "SELECT COALESCE(merged_into_id, id) AS root FROM knowledge_graphentity"
        " WHERE tenant_id = %(tenant_id)s AND world_id = %(world_id)s AND id = %(entity_id)s",
        {"tenant_id": reader.tenant_id, "world_id": reader.world_id, "entity_id": entity_id},
    )
    found = list_summaries(reader, [row["root"] for row in rows])
    if not found:
        raise EntityUnknown(f"There is no entity {entity_id}.")
    return found[0]


def list_summaries(reader: GraphReader, entity_ids: Sequence[int]) -> tuple[EntitySummary, ...]:
    """The entities that the reader knows by a name, in the order given. One query, none for none."""
    if not entity_ids:
        return ()
    statement = read_query(SQL / "names_of.sql").format(visible=build_condition(reader, "n"))
    by_root: dict[int, list[dict[str, Any]]] = {}
    for row in fetch(statement, list_parameters(reader) | {"entity_ids": list(entity_ids)}):
        by_root.setdefault(row["root"], []).append(row)
    return tuple(_summarise(id_, by_root[id_]) for id_ in dict.fromkeys(entity_ids) if id_ in by_root)


def fetch(statement: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a statement by column."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return fetch_rows(cursor)


def _summarise(entity_id: int, rows: Sequence[dict[str, Any]]) -> EntitySummary:
    shown = rows[0]
    names: dict[tuple[str, str], EntityName] = {}
    for row in rows:
        names.setdefault(
            (row["text"], row["language"]),
            EntityName(row["text"], row["language"], row["source_kind"], row["is_title"]),
        )
    return EntitySummary(
        entity_id=entity_id,
        name=shown["text"],
        kind=shown["kind"],
        language=shown["language"],
        slug=shown["slug"],
        names=tuple(names.values())[:MAX_NAMES_SHOWN],
    )
