"""Forgetting by use and importance: what nobody needs is archived, found only when the archive is asked for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from knowledge.notebook.actions.passages import remove_passages
from knowledge.notebook.core.importance import ARCHIVE_BELOW, EXEMPT_FROM, score_retention
from knowledge.notebook.models import (
    Access,
    EntryState,
    Notebook,
    NotebookEntry,
    NotebookReceipt,
    ReceiptKind,
)
from knowledge.notebook.selectors.memberships import Seat

MIN_IDLE_DAYS = 7
"""What was written or used within a week is never archived, whatever the settings say."""
BATCH_SIZE = 2000
SYSTEM = "memory37"


@dataclass(frozen=True, slots=True)
class Fading:
    """An entry, and what it is still worth."""

    entry: NotebookEntry
    score: float
    idle_days: float


def list_fading(notebook_id: int, *, now: dt.datetime | None = None) -> list[Fading]:
    """The entries that would be archived, those worth least first. Pins, decisions and what is in use are exempt."""
    now = now or timezone.now()
    since = now - dt.timedelta(days=MIN_IDLE_DAYS)
    rows = NotebookEntry.objects.filter(
        notebook_id=notebook_id,
        state=EntryState.LIVE,
        is_pinned=False,
        importance__lt=EXEMPT_FROM,
        updated_at__lt=since,
    ).exclude(last_used_at__gte=since)
    found = []
    for row in rows.defer("content", "metadata").order_by("updated_at")[: 10 * BATCH_SIZE]:
        idle = (now - max(row.updated_at, row.last_used_at or row.updated_at)).total_seconds() / 86400
        score = score_retention(
            importance=row.importance, idle_days=idle, uses=row.uses, half_life_days=settings.NOTEBOOK_FORGET_DAYS
        )
        if score < ARCHIVE_BELOW:
            found.append(Fading(row, score, idle))
    return sorted(found, key=lambda each: each.score)[:BATCH_SIZE]


def archive_fading(
    seat: Seat, *, is_dry_run: bool, now: dt.datetime | None = None
) -> tuple[list[Fading], NotebookReceipt | None]:
    """What is archived, or would be, and the receipt where something was. Raises AccessDenied."""
    seat.require(Access.READ if is_dry_run else Access.MANAGE)
    fading = list_fading(seat.notebook.pk, now=now)
    if is_dry_run or not fading:
        return fading, None
    return _archive(seat.notebook, fading, by=seat.agent)


def archive_everywhere() -> int:
    """How many entries of all notebooks were archived. Safe to run twice."""
    since = timezone.now() - dt.timedelta(days=MIN_IDLE_DAYS)
    rows = NotebookEntry.objects.filter(
        state=EntryState.LIVE, is_pinned=False, importance__lt=EXEMPT_FROM, updated_at__lt=since
    )
    count = 0
    for notebook_id in rows.order_by("notebook_id").values_list("notebook_id", flat=True).distinct().iterator():
        fading = list_fading(notebook_id)
        if fading:
            count += len(_archive(fading[0].entry.notebook, fading, by=SYSTEM)[0])
    return count


def _archive(notebook: Notebook, fading: Sequence[Fading], *, by: str) -> tuple[list[Fading], NotebookReceipt]:
    """What was used or written meanwhile stays."""
    with transaction.atomic():
        locked = NotebookEntry.objects.select_for_update(no_key=True).order_by("pk")
        rows = {row.pk: row for row in locked.filter(pk__in=[each.entry.pk for each in fading])}
        gone = [each for each in fading if _is_unchanged(rows.get(each.entry.pk), each.entry)]
        ids = [each.entry.pk for each in gone]
        NotebookEntry.objects.filter(pk__in=ids).update(state=EntryState.ARCHIVED, archived_at=timezone.now())
        passages = remove_passages(ids)
        receipt = NotebookReceipt.objects.create(
            tenant_id=notebook.tenant_id,
            world_id=notebook.world_id,
            notebook_ref=notebook.pk,
            kind=ReceiptKind.ARCHIVING,
            counts={"entries": len(ids), "passages": passages},
            requested_by=by,
        )
    return gone, receipt


def _is_unchanged(row: NotebookEntry | None, seen: NotebookEntry) -> bool:
    return (
        row is not None
        and row.state == EntryState.LIVE
        and not row.is_pinned
        and (row.version, row.last_used_at) == (seen.version, seen.last_used_at)
    )
