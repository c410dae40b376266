"""How the second stage of a tenant does."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, Sum

from episodes.models import Conversation
from factcheck.extraction.models import OPEN_STATES, ExtractionRun, RunState
from factcheck.extraction.proposers.registry import get_proposer
from factcheck.extraction.selectors.breakers import is_paused
from factcheck.extraction.selectors.buckets import list_muted_buckets
from tenancy.models import Extraction, Tenant


@dataclass(frozen=True, slots=True)
class ExtractionStatus:
    """`mode` is the tenant's switch. Counts are of the whole tenant; of a key of one world they are None."""

    mode: str
    paused: bool
    proposer: str
    description: str
    waiting_messages: int | None
    open_runs: int | None
    failed_runs: int | None
    """Runs that failed and after which none of their player was applied."""
    held_runs: int | None
    """Runs of which something passed the gate that is written once a breaker closes."""
    muted_confidences: int | None
    """Confidences, in steps of a twentieth and by model and prompt, that labels proved wrong too often."""


def describe_extraction(*, tenant_id: int, is_world_bound: bool) -> ExtractionStatus:
    """The state of a tenant's second stage. Four queries at most."""
    mode = Tenant.objects.values_list("extraction", flat=True).get(pk=tenant_id)
    proposer = get_proposer()
    waiting = open_runs = failed = held = muted = None
    if not is_world_bound:
        waiting, open_runs, failed, held = _count(tenant_id) if mode != Extraction.OFF else (0, 0, 0, 0)
        muted = len(list_muted_buckets(tenant_id)) if mode != Extraction.OFF else 0
    return ExtractionStatus(
        mode=mode,
        paused=is_paused(tenant_id),
        proposer=proposer.name,
        description=proposer.describe(),
        waiting_messages=waiting,
        open_runs=open_runs,
        failed_runs=failed,
        held_runs=held,
        muted_confidences=muted,
    )


def _count(tenant_id: int) -> tuple[int, int, int, int]:
    """Messages that wait, open runs, players whose last run failed, and runs that are held back."""
    waiting = Conversation.objects.filter(tenant_id=tenant_id).aggregate(sum=Sum("pending_extraction_count"))["sum"]
    newer = ExtractionRun.objects.filter(
        tenant_id=tenant_id, end_user_id=OuterRef("end_user_id"), pk__gt=OuterRef("pk")
    )
    is_unfinished = Q(state__in=[*OPEN_STATES, RunState.FAILED]) | Q(held_for__isnull=False)
    unfinished = ExtractionRun.objects.filter(is_unfinished, tenant_id=tenant_id)
    runs = unfinished.aggregate(
        open=Count("pk", filter=Q(state__in=OPEN_STATES)),
        failed=Count("pk", filter=Q(~Exists(newer), state=RunState.FAILED)),
        held=Count("pk", filter=Q(held_for__isnull=False)),
    )
    return waiting or 0, runs["open"], runs["failed"], runs["held"]
