"""What is within one or two steps of an entity."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from knowledge.graph.core.views import GraphReader, Neighbourhood, RelationView
from knowledge.graph.selectors.entities import fetch, get_entity, list_summaries
from knowledge.graph.selectors.readers import build_condition, build_named, list_parameters
from knowledge.search.sql import read_query

SQL = Path(__file__).parent.parent / "sql"
MAX_DEPTH = 2
HUB_CAP = 100
"""Neighbours that one entity brings: a city that every article names would else bring the whole world."""
MAX_ENTITIES = 500
MAX_RELATIONS = 2000


def get_neighbourhood(
    reader: GraphReader, entity_id: int, *, depth: int = 1, max_entities: int = MAX_ENTITIES
) -> Neighbourhood:
    """The entity with what is within `depth` steps, as far as the reader knows. Five queries. Raises EntityUnknown."""
    entity = get_entity(reader, entity_id)
    rows = walk(reader, entity.entity_id, depth=depth, max_entities=max_entities + 1)
    depths = dict(rows[:max_entities])
    relations = list_relations(reader, list(depths))
    others = [id_ for id_ in depths if id_ != entity.entity_id]
    degrees: dict[int, int] = {}
    for relation in relations:
        for end in (relation.src, relation.dst):
            degrees[end] = degrees.get(end, 0) + 1
    is_capped = (
        len(rows) > max_entities or len(relations) == MAX_RELATIONS or max(degrees.values(), default=0) >= HUB_CAP
    )
    return Neighbourhood(entity, list_summaries(reader, others), depths, relations, is_capped)


def walk(reader: GraphReader, root: int, *, depth: int, max_entities: int = MAX_ENTITIES) -> list[tuple[int, int]]:
    """Entities within `depth` steps of one with their distances, itself first. One query."""
    statement = read_query(SQL / "walk.sql").format(
        visible=build_condition(reader, "x"), named=build_named(reader, "COALESCE(e.merged_into_id, e.id)", "x")
    )
    limits = {"root": root, "depth": depth, "hub_cap": HUB_CAP, "max_entities": max_entities}
    return [(row["entity_id"], row["depth"]) for row in fetch(statement, list_parameters(reader) | limits)]


def list_relations(
    reader: GraphReader, entity_ids: Sequence[int], *, limit: int = MAX_RELATIONS
) -> tuple[RelationView, ...]:
    """The relations between some entities that the reader may see, disputed ones too. Two queries, none for one."""
    if len(entity_ids) < 2:
        return ()
    statement = read_query(SQL / "relations_between.sql").format(
        visible=build_condition(reader, "x"),
        named_src=build_named(reader, "s.root", "x"),
        named_dst=build_named(reader, "d.root", "x"),
    )
    rows = fetch(statement, list_parameters(reader) | {"entity_ids": list(entity_ids), "max_relations": limit})
    slugs = _list_slugs([row["source_id"] for row in rows if row["source_kind"] == "canon"])
    return tuple(
        RelationView(
            relation_id=row["relation_id"],
            src=row["src"],
            predicate=row["predicate"],
            dst=row["dst"],
            stated_as=row["stated_as"],
            state=row["state"],
            source_kind=row["source_kind"],
            source_slug=slugs.get(row["source_id"], "") if row["source_kind"] == "canon" else "",
            source_field=row["source_field"],
            span=row["span"],
            added_in=row["added_in"],
            removed_in=row["removed_in"],
            story_time=row["story_time"],
            recorded_at=row["recorded_at"],
            ended_at=row["ended_at"],
            evidence_id=None if row["source_kind"] == "canon" else row["source_id"],
        )
        for row in rows
    )


def _list_slugs(revision_ids: Sequence[int]) -> dict[int, str]:
    from knowledge.canon.models import LoreRevision

    if not revision_ids:
        return {}
    return dict(LoreRevision.objects.filter(pk__in=set(revision_ids)).values_list("id", "slug"))
