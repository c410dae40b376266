"""Answers of the tools as JSON, in the words of REST, and without what a model has no use for."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.events.selectors.recall import RecalledEvents
from knowledge.api.rendering import render_read_release, render_summary
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.canon.selectors.rules import RuleLookup
from knowledge.graph.core.views import EntitySummary, Neighbourhood
from runtime.mcp import shapes


def render_lookup(found: RuleLookup, release: ResolvedRelease) -> shapes.FoundRule:
    """The rule that was asked for, and others that may have been meant."""
    rule = found.rule
    return {
        "domain": release.domain,
        "release": render_read_release(release),
        "matched_by": found.matched_by,
        "rule": {
            **render_summary(rule.summary),
            "body": rule.body,
            "aliases": list(rule.aliases),
            "fields": dict(rule.fields),
            "source": rule.source,
            "token_count": rule.token_count,
            "chunks": [
                {"passage_id": chunk.passage_id, "heading_path": list(chunk.heading_path), "version": chunk.version}
                for chunk in rule.chunks
            ],
        },
        "candidates": [render_summary(document) for document in found.candidates],
        "degraded": list(found.degraded),
    }


def render_graph(
    found: Neighbourhood, others: Sequence[EntitySummary], release: ResolvedRelease | None
) -> shapes.Neighbourhood:
    """An entity with what is around it, and others that may have been meant."""
    return {
        "domain": None if release is None else release.domain,
        "release": None if release is None else render_read_release(release),
        "entity": _render_entity(found.entity),
        "others": [_render_entity(entity) for entity in others],
        "entities": [{**_render_entity(entity), "depth": found.depths[entity.entity_id]} for entity in found.entities],
        "relations": [
            {
                "from": relation.src,
                "predicate": relation.predicate,
                "to": relation.dst,
                "state": relation.state,
                "source": relation.source_kind,
                "slug": relation.source_slug or None,
                "text": relation.span,
            }
            for relation in found.relations
        ],
        "capped": found.is_capped,
    }


def _render_entity(entity: EntitySummary) -> shapes.NamedEntity:
    return {
        "id": entity.entity_id,
        "name": entity.name,
        "kind": entity.kind,
        "slug": entity.slug or None,
        "aliases": [name.text for name in entity.names if name.text != entity.name],
    }


def render_events(query: str, found: RecalledEvents) -> shapes.RecalledEvents:
    """The answer of `event_search`."""
    return {
        "query": query,
        "is_vague": found.reference.is_vague,
        "pointed_at": [each.name for each in found.reference.pointed_at],
        "events": [
            {
                "event_id": str(hit.id),
                "conversation_id": hit.conversation_id,
                "state": hit.state,
                "title": hit.title,
                "timestamp": hit.plot.timestamp,
                "location": hit.plot.location,
                "summary": hit.plot.summary,
                "names": [entity.name for entity in hit.plot.entities],
                "score": hit.score,
            }
            for hit in found.hits
        ],
        "degraded": list(found.degraded),
    }
