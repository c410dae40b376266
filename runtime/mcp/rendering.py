"""Answers of the tools as JSON, in the words of REST, and without what a model has no use for."""

from __future__ import annotations

from typing import Any

from factcheck.actions import AssertionResult
from knowledge.api.rendering import render_read_release, render_summary
from knowledge.canon.selectors.releases import ResolvedRelease
from knowledge.canon.selectors.rules import RuleLookup


def render_lookup(found: RuleLookup, release: ResolvedRelease) -> dict[str, Any]:
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
