"""Conflicts: opened by writes, settled by people, agents or later writes. Neither side is ever changed by them."""

from __future__ import annotations

from typing import Literal

from django.db import transaction
from django.utils import timezone

from knowledge.notebook.core.conflicts import KnownFact, find_contradictions
from knowledge.notebook.core.drafts import FACT
from knowledge.notebook.errors import AlreadyDecided, UnknownEntry
from knowledge.notebook.models import (
    Access,
    ConflictKind,
    ConflictState,
    EntryState,
    NotebookConflict,
    NotebookEntry,
    NotebookVersion,
)
from knowledge.notebook.selectors.memberships import Seat

MAX_FACTS_COMPARED = 1000
"""The newest facts that a note is held against."""
Resolution = Literal["older", "newer", "both"]


def note_overwriting(entry: NotebookEntry, older: NotebookVersion, newer: NotebookVersion) -> NotebookConflict:
    """The open conflict of a fact that another author gave another value, unread."""
    return NotebookConflict.objects.create(
        tenant_id=entry.tenant_id,
        notebook_id=entry.notebook_id,
        kind=ConflictKind.OVERWRITTEN,
        entry=entry,
        older=older,
        newer=newer,
        says=(newer.content or "")[:200],
    )


def note_contradictions(note: NotebookEntry, version: NotebookVersion) -> list[NotebookConflict]:
    """The open conflicts of a note with facts that say something else. Two queries without any."""
    rows = NotebookEntry.objects.filter(notebook_id=note.notebook_id, kind=FACT, state=EntryState.LIVE)
    facts = {row.pk: row for row in rows.order_by("-updated_at")[:MAX_FACTS_COMPARED]}
    found = find_contradictions(note.content, (KnownFact(row.pk, row.name, row.content) for row in facts.values()))
    versions = (
        {
            (row.entry_id, row.number): row
            for row in NotebookVersion.objects.filter(entry_id__in=[each.fact_id for each in found])
        }
        if found
        else {}
    )
    return [
        NotebookConflict.objects.get_or_create(
            older=versions[each.fact_id, facts[each.fact_id].version],
            newer=version,
            defaults={
                "tenant_id": note.tenant_id,
                "notebook_id": note.notebook_id,
                "kind": ConflictKind.CONTRADICTED,
                "entry_id": each.fact_id,
                "says": each.says,
            },
        )[0]
        for each in found
    ]


def settle_conflicts(entry: NotebookEntry, *, by: str) -> int:
    """How many open conflicts of an entry are over because it was written or deleted on purpose since."""
    rows = NotebookConflict.objects.filter(entry=entry, state=ConflictState.OPEN)
    return rows.update(state=ConflictState.RESOLVED, resolution="changed", resolved_by=by, resolved_at=timezone.now())


def resolve_conflict(seat: Seat, conflict_id: int, *, resolution: Resolution) -> NotebookConflict:
    """The conflict, resolved: which side holds, or both. Facts are changed by writing them, not by this.

    Raises AccessDenied, UnknownEntry, AlreadyDecided."""
    seat.require(Access.WRITE)
    with transaction.atomic():
        row = (
            NotebookConflict.objects.select_for_update(of=("self",))
            .select_related("older", "newer", "entry")
            .filter(notebook=seat.notebook, pk=conflict_id)
            .first()
        )
        if row is None:
            raise UnknownEntry("The notebook has no such conflict.")
        if row.state != ConflictState.OPEN:
            raise AlreadyDecided(f"{row.resolved_by!r} resolved it: {row.resolution}.")
        row.state, row.resolution = ConflictState.RESOLVED, resolution
        row.resolved_by, row.resolved_at = seat.agent, timezone.now()
        row.save(update_fields=["state", "resolution", "resolved_by", "resolved_at"])
    return row
