"""What a notebook has for one turn: facts with their conflicts, and the notes and documents that the turn is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.notebook.core.drafts import DOCUMENT, FACT, NOTE
from knowledge.notebook.models import ConflictState, EntryState, NotebookConflict, NotebookEntry
from knowledge.notebook.selectors.memberships import Seat
from knowledge.notebook.selectors.search import NotebookHit, search_notebook

MAX_FACTS = 200
"""Pinned first, then those used most: what is behind them is asked for by key."""
K_NOTES = 3
"""Source: seed 003."""


@dataclass(frozen=True, slots=True)
class FactWithConflicts:
    """A fact, and what newer words say instead."""

    entry: NotebookEntry
    conflicts: tuple[NotebookConflict, ...] = ()


@dataclass(frozen=True, slots=True)
class NotebookContext:
    """What there is to be told, most telling first."""

    facts: tuple[FactWithConflicts, ...] = ()
    hits: tuple[NotebookHit, ...] = ()
    degraded: tuple[str, ...] = ()


def read_notebook_context(seat: Seat, query: str, *, k: int = K_NOTES) -> NotebookContext:
    """Facts, and the best notes and documents. Two queries and a search. Nobody is told what waits in quarantine."""
    rows = NotebookEntry.objects.filter(
        tenant_id=seat.notebook.tenant_id, notebook_id=seat.notebook.pk, kind=FACT, state=EntryState.LIVE
    )
    facts = list(rows.order_by("-is_pinned", "-uses", "-updated_at", "-pk")[:MAX_FACTS])
    conflicts = _read_conflicts(seat, facts)
    told = tuple(FactWithConflicts(row, tuple(conflicts.get(row.pk, ()))) for row in facts)
    if not query.strip():
        return NotebookContext(told)
    found = search_notebook(seat, query, k=k, kinds=(NOTE, DOCUMENT))
    return NotebookContext(told, tuple(hit for hit in found.hits if hit.entry.state == EntryState.LIVE), found.degraded)


def _read_conflicts(seat: Seat, facts: Sequence[NotebookEntry]) -> dict[int, list[NotebookConflict]]:
    found: dict[int, list[NotebookConflict]] = {}
    rows = NotebookConflict.objects.filter(
        notebook_id=seat.notebook.pk, state=ConflictState.OPEN, entry_id__in=[row.pk for row in facts]
    )
    for row in rows.select_related("older", "newer").order_by("pk") if facts else ():
        found.setdefault(row.entry_id, []).append(row)
    return found
