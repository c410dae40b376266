"""Undoing all that one version of a prompt wrote, run by run, oldest first."""

from __future__ import annotations

import structlog
from django.db.models import QuerySet

from factcheck.extraction.actions.logged_decisions import undo_run
from factcheck.extraction.errors import RunNotRevertible, UnknownRun
from factcheck.extraction.models import ExtractionRun, RunMode, RunState
from tenancy.core.audit_log import Decider
from tenancy.errors import ReasonMissing

log = structlog.get_logger("memory37.extraction")
BATCH_SIZE = 50
"""Runs of one task: a few seconds of work, then others have their turn."""


def list_undoable(*, tenant_id: int, proposer: str, prompt_version: str) -> QuerySet[ExtractionRun]:
    """The applied runs of a version that may have written something and were not undone, oldest first."""
    return ExtractionRun.objects.filter(
        tenant_id=tenant_id,
        proposer=proposer,
        prompt_version=prompt_version,
        state=RunState.APPLIED,
        mode=RunMode.ON,
        reverted_at__isnull=True,
    ).order_by("pk")


def undo_runs(
    *, tenant_id: int, proposer: str, prompt_version: str, decider: Decider, reason: str, after: int = 0
) -> int | None:
    """Undo the next runs of the version that are younger than `after`; the last of them, None where none is left.

    Each run is a transaction and an entry of the audit log of its own. A run that can't be undone is left and logged.
    Raises ReasonMissing, FactKeysMissing.
    """
    if not reason.strip():
        raise ReasonMissing("Say why.")
    waiting = list_undoable(tenant_id=tenant_id, proposer=proposer, prompt_version=prompt_version).filter(pk__gt=after)
    ids = list(waiting.values_list("pk", flat=True)[:BATCH_SIZE])
    for run_id in ids:
        try:
            undo_run(tenant_id=tenant_id, run_id=run_id, decider=decider, reason=reason)
        except (RunNotRevertible, UnknownRun) as error:
            log.info("run_not_undone", run_id=run_id, code=error.code)
    return ids[-1] if ids else None
