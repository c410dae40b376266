"""Canon as JSON: plain dictionaries, since serializers cost more than the search itself."""

from __future__ import annotations

from typing import Any

from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.canon.selectors.search import LoreHit, LoreSearchResult


def render_read_release(release: ResolvedRelease) -> dict[str, Any]:
    """Which release was read."""
    return {"number": release.number, "alias": release.alias, "canary": release.canary, "state": release.state}


def render_search(result: LoreSearchResult) -> dict[str, Any]:
    """A search's answer."""
    release = result.release
    return {
        "query": result.query,
        "domain": release.domain,
        "release": render_read_release(release),
        "degraded": list(result.degraded),
        "hits": [render_hit(hit, release.number) for hit in result.hits],
    }


def render_hit(hit: LoreHit, release_number: int) -> dict[str, Any]:
    """One passage, where it stands, and how it came to its place."""
    parts = hit.parts
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
        "parts": {
            "bm25": parts.bm25,
            "bm25_rank": parts.bm25_rank,
            "bm25_part": parts.bm25_part,
            "vector": parts.vector,
            "vector_rank": parts.vector_rank,
            "vector_part": parts.vector_part,
            "neighbour_part": parts.neighbour_part,
            "placed_as_fresh": parts.is_placed_as_fresh,
            "rerank_place": hit.rerank_place,
        },
        "release": release_number,
        "source": hit.source,
    }
