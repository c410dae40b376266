"""Keeping what labels say of a proposer's confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factcheck.extraction.core.statistics import Bucket
from factcheck.extraction.models import ConfidenceBucket


def record_buckets(tenant_id: int, found: Mapping[str, Sequence[Bucket]]) -> int:
    """Store the buckets, by model and prompt, whose trust changed: how many."""
    held = {
        (row.version, row.floor): row.is_trusted
        for row in ConfidenceBucket.objects.filter(tenant_id=tenant_id, version__in=found)
        .order_by("version", "floor", "-id")
        .distinct("version", "floor")
    }
    rows = [
        ConfidenceBucket(
            tenant_id=tenant_id, version=version, floor=each.floor, n=each.n, right=each.right,
            is_trusted=each.is_trusted,
        )
        for version, buckets in found.items()
        for each in buckets
        if held.get((version, each.floor), True) != each.is_trusted
    ]  # fmt: skip
    return len(ConfidenceBucket.objects.bulk_create(rows))
