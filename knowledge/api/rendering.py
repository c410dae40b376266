"""Canon as JSON: plain dictionaries, since serializers cost more than the search itself."""

from __future__ import annotations

from typing import Any

from knowledge.api import shapes
from knowledge.canon.selectors.history import ReleaseView
from knowledge.canon.selectors.release_notes import ReleaseNotes
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.canon.selectors.search import LoreHit, LoreSearchResult
from knowledge.canon.selectors.views import DocumentSummary, DocumentView
from knowledge.search.core.fusion import FusedHit
from memoryproject.rest.shapes import fill

SLUGS_SHOWN = 200


def render_read_release(release: ResolvedRelease) -> shapes.ReadRelease:
    """Which release was read."""
    return fill(shapes.ReadRelease, release)


def render_search(result: LoreSearchResult) -> shapes.Search:
    """A search's answer."""
    release = result.release
    return {
        "query": result.query,
        "domain": release.domain,
        "release": render_read_release(release),
        "degraded": list(result.degraded),
        "hits": [render_hit(hit, release.number) for hit in result.hits],
    }


def render_hit(hit: LoreHit, release_number: int) -> shapes.Hit:
    """One passage, where it stands, and how it came to its place."""
    parts: Any = {**render_parts(hit.parts, hit.rerank_place), "name_part": hit.parts.name_part}
    return {
        "passage_id": hit.passage_id,
        "document": {
            "slug": hit.slug,
            "title": hit.title,
            "type": hit.type,
            "language": hit.language,
            "tags": list(hit.tags),
            "revision": hit.revision_number,
        },
        "heading_path": list(hit.heading_path),
        "anchor": hit.anchor,
        "version": hit.version,
        "text": hit.text,
        "token_count": hit.token_count,
        "score": hit.score,
        "parts": parts,
        "release": release_number,
        "source": hit.source,
    }


def render_parts(parts: FusedHit, rerank_place: int | None) -> dict[str, Any]:
    """What a score is made of."""
    return {
        "bm25": parts.bm25,
        "bm25_rank": parts.bm25_rank,
        "bm25_part": parts.bm25_part,
        "vector": parts.vector,
        "vector_rank": parts.vector_rank,
        "vector_part": parts.vector_part,
        "neighbour_part": parts.neighbour_part,
        "placed_as_fresh": parts.is_placed_as_fresh,
        "rerank_place": rerank_place,
    }


def render_summary(document: DocumentSummary) -> shapes.DocumentSummary:
    """A document in a list."""
    return fill(shapes.DocumentSummary, document, rule_id=document.rule_id or None, revision=document.revision_number)


def render_document(document: DocumentView, release: ResolvedRelease) -> shapes.Document:
    """A whole document, as one reader may see it."""
    return fill(
        shapes.Document,
        document,
        **render_summary(document.summary),
        release=render_read_release(release),
        fields=dict(document.fields),
        field_labels={name: list(labels) for name, labels in document.field_labels.items()},
        relations=[fill(shapes.Relation, relation) for relation in document.relations],
        chunks=[fill(shapes.Chunk, chunk) for chunk in document.chunks],
        links=[fill(shapes.Link, link) for link in document.mentions],
        backlinks=[fill(shapes.Link, link) for link in document.backlinks],
    )


def render_release(release: ReleaseView) -> shapes.Release:
    """A release in a list."""
    return fill(
        shapes.Release,
        release,
        base=release.base_number,
        gate=release.gate_state,
        documents=release.document_count,
        passages=release.passage_count,
        ended_by=release.ended_how or None,
    )


def render_notes(notes: ReleaseNotes) -> shapes.ReleaseNotes:
    """A release with what it changed."""
    document = render_release(notes.release)
    if notes.changes is None:
        return {**document, "changes": None}
    slugs: dict[str, list[str]] = {"added": [], "changed": [], "removed": []}
    for change in notes.changes:
        slugs[change.kind].append(change.slug)
    added, changed, removed = (_render_slugs(each) for each in slugs.values())
    return {**document, "changes": {"added": added, "changed": changed, "removed": removed}}


def _render_slugs(slugs: list[str]) -> shapes.ChangedSlugs:
    return {"count": len(slugs), "slugs": slugs[:SLUGS_SHOWN]}
