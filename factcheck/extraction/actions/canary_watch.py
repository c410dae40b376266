"""A proposer that repeats its prompt's own examples is stopped."""

from __future__ import annotations

from collections.abc import Iterable

import structlog

from factcheck.errors import BreakerMoved
from factcheck.extraction.actions.breakers import SERVICE, pause_by_hand
from factcheck.extraction.core.verdicts import VerdictCode
from factcheck.extraction.metrics import CANARIES
from factcheck.extraction.models import ExtractionDelta, ExtractionRun

log = structlog.get_logger("memory37.extraction")
MAX_CANARIES = 3
RUNS_WATCHED = 1_000
"""The third answer of so many stops extraction. Source: design notes, A-R14."""


def watch_canaries(run: ExtractionRun, deltas: Iterable[ExtractionDelta]) -> None:
    """Count an answer that held a reserved word, and pause the tenant's extraction at the third of 1,000 runs."""
    if not any(delta.verdict == VerdictCode.CANARY for delta in deltas):
        return
    CANARIES.inc()
    newest = ExtractionRun.objects.filter(tenant_id=run.tenant_id, prompt_version=run.prompt_version).order_by("-pk")
    watched = list(newest.values_list("pk", flat=True)[:RUNS_WATCHED])
    held = ExtractionDelta.objects.filter(run__in=watched, verdict=VerdictCode.CANARY)
    count = held.values("run").distinct().count()
    if count < MAX_CANARIES:
        return
    try:
        pause_by_hand(
            run.tenant_id,
            made_by=SERVICE,
            reason=f"{count} of the last {len(watched)} answers repeat the prompt's own examples.",
        )
    except BreakerMoved:
        log.info("extraction_paused_already", tenant_id=run.tenant_id)
