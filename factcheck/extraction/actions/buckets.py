"""Keeping what labels say of a proposer's confidence: each change of trust is a row, logged and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import structlog

from factcheck.extraction.core.statistics import Bucket
from factcheck.extraction.metrics import BUCKET_CHANGES
from factcheck.extraction.models import ConfidenceBucket
from memoryproject.database import after_commit

log = structlog.get_logger("memory37.extraction")


def record_buckets(tenant_id: int, found: Mapping[str, Sequence[Bucket]]) -> int:
    """Store the buckets, by model and prompt, whose trust changed: how many."""
    held = {
        (row.version, row.floor): row.is_trusted
        for row in ConfidenceBucket.objects.filter(tenant_id=tenant_id, version__in=found)
        .order_by("version", "floor", "-id")
        .distinct("version", "floor")
    }
    changed = [
        ConfidenceBucket(
            tenant_id=tenant_id, version=version, floor=each.floor, n=each.n, right=each.right,
            is_trusted=each.is_trusted,
        )
        for version, buckets in found.items()
        for each in buckets
        if held.get((version, each.floor), True) != each.is_trusted
    ]  # fmt: skip
    rows = ConfidenceBucket.objects.bulk_create(changed)
    for row in rows:
        after_commit(_notify, row)
    return len(rows)


def _notify(row: ConfidenceBucket) -> None:
    state = "believed" if row.is_trusted else "muted"
    BUCKET_CHANGES.labels(state=state).inc()
    log.warning(
        "confidence_changed", state=state, version=row.version, confidence_from=row.floor, n=row.n, right=row.right,
        tenant_id=row.tenant_id,
    )  # fmt: skip
