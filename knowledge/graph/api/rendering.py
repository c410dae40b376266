"""The graph as JSON."""

from __future__ import annotations

from typing import Any

from knowledge.api.rendering import render_read_release
from knowledge.canon.selectors.audience import LORE
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.graph.api import shapes
from knowledge.graph.core.views import EntitySummary, GraphReader, Neighbourhood, PathResult, RelationView
from memoryproject.rest.shapes import fill
from memoryproject.times import render_time


def render_state(reader: GraphReader, release: ResolvedRelease | None) -> dict[str, Any]:
    """Which state of the graph was read."""
    return {
        "domain": LORE if release is None else release.domain,
        "release": None if release is None or reader.as_of is not None else render_read_release(release),
        "as_of": render_time(reader.as_of),
    }


def render_entity(entity: EntitySummary) -> shapes.GraphEntity:
    """An entity by the name that its reader knows."""
    return fill(
        shapes.GraphEntity,
        entity,
        id=entity.entity_id,
        slug=entity.slug or None,
        names=[
            {"text": name.text, "language": name.language, "source": name.source, "title": name.is_title}
            for name in entity.names
        ],
    )


def render_relation(relation: RelationView) -> shapes.GraphRelation:
    """A relation with its evidence."""
    return fill(
        shapes.GraphRelation,
        relation,
        id=relation.relation_id,
        **{"from": relation.src},
        to=relation.dst,
        evidence={
            "source": relation.source_kind,
            "slug": relation.source_slug or None,
            "field": relation.source_field,
            "id": relation.evidence_id,
            "text": relation.span,
        },
    )


def render_neighbourhood(found: Neighbourhood) -> dict[str, Any]:
    """An entity with what is around it."""
    return {
        **render_entity(found.entity),
        "entities": [{**render_entity(entity), "depth": found.depths[entity.entity_id]} for entity in found.entities],
        "relations": [render_relation(relation) for relation in found.relations],
        "capped": found.is_capped,
    }


def render_paths(result: PathResult) -> dict[str, Any]:
    """Paths, and what stands on them."""
    return {
        "paths": [
            {"entities": list(path.entity_ids), "relations": [relation.relation_id for relation in path.relations]}
            for path in result.paths
        ],
        "entities": [render_entity(entity) for entity in result.entities],
        "relations": [
            render_relation(relation)
            for relation in {each.relation_id: each for path in result.paths for each in path.relations}.values()
        ],
        "capped": result.is_capped,
    }
