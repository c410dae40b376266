"""Buckets of confidence that labels proved wrong too often."""

from __future__ import annotations

from factcheck.extraction.models import ConfidenceBucket


def list_untrusted_buckets(tenant_id: int, version: str) -> frozenset[float]:
    """Floors of the buckets of a model and prompt (`name_version`) that the gate must not believe. One query."""
    newest = ConfidenceBucket.objects.filter(tenant_id=tenant_id, version=version).order_by("floor", "-id")
    return frozenset(row.floor for row in newest.distinct("floor") if not row.is_trusted)


def list_muted_buckets(tenant_id: int) -> list[ConfidenceBucket]:
    """The buckets of all models and prompts that the gate does not believe now. One query."""
    newest = ConfidenceBucket.objects.filter(tenant_id=tenant_id).order_by("version", "floor", "-id")
    return [row for row in newest.distinct("version", "floor") if not row.is_trusted]
