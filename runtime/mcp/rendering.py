"""Answers of the tools as JSON, in the words of REST, and without what a model has no use for."""

from __future__ import annotations

from typing import Any

from factcheck.actions import AssertionResult
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.canon.selectors.rules import RuleLookup
from knowledge.canon.selectors.search import LoreHit, LoreSearchResult
from knowledge.canon.selectors.views import DocumentSummary


def render_lookup(found: RuleLookup, release: ResolvedRelease) -> dict[str, Any]:
    """The rule that was asked for, and others that may have been meant."""
    rule = found.rule
    return {
        "domain": release.domain,
        "release": render_release(release),
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


def render_search(result: LoreSearchResult) -> dict[str, Any]:
    """What a search found, best first."""
    return {
        "query": result.query,
        "domain": result.release.domain,
        "release": render_release(result.release),
        "degraded": list(result.degraded),
        "hits": [render_hit(hit, result.release.number) for hit in result.hits],
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


def render_assertion(claim: str, domain: str, result: AssertionResult) -> dict[str, Any]:
    """A verdict with its sources."""
    return {
        "claim": claim,
        "verdict": result.verdict,
        "method": result.method,
        "expected": result.expected,
        "explanation": result.explanation,
        "sources": [
            {
                "slug": source.slug,
                "title": source.title,
                "passage_id": source.passage_id,
                "version": source.version,
                "excerpt": source.excerpt,
                "field": source.field,
                "release": source.release,
            }
            for source in result.sources
        ],
        "domain": domain,
        "release": result.release,
        "degraded": list(result.degraded),
    }


def render_release(release: ResolvedRelease) -> dict[str, Any]:
    """Which release was read."""
    return {"number": release.number, "alias": release.alias, "canary": release.canary, "state": release.state}


def render_summary(document: DocumentSummary) -> dict[str, Any]:
    """A document in a list."""
    return {
        "slug": document.slug,
        "title": document.title,
        "type": document.type,
        "language": document.language,
        "tags": list(document.tags),
        "rule_id": document.rule_id or None,
        "revision": document.revision_number,
        "since_release": document.since_release,
    }
