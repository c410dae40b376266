"""How much stands in a notebook, against how much may."""

from __future__ import annotations

from knowledge.notebook.core import limits
from knowledge.notebook.core.drafts import DOCUMENT, FACT, NOTE
from knowledge.notebook.errors import NotebookFull
from knowledge.notebook.models import EntryState, NotebookEntry
from knowledge.notebook.models.entries import SHOWN_STATES
from knowledge.notebook.selectors.memberships import Seat

MAX_ENTRIES = {FACT: limits.MAX_FACTS, NOTE: limits.MAX_NOTES, DOCUMENT: limits.MAX_DOCUMENTS}


def check_quota(seat: Seat, kind: str) -> None:
    """Raises NotebookFull where one entry more is one too many. Must be called with the notebook locked."""
    most = MAX_ENTRIES[kind]
    rows = NotebookEntry.objects.filter(notebook=seat.notebook, kind=kind, state__in=SHOWN_STATES)
    if rows.count() >= most:
        raise NotebookFull(f"The notebook has {most} entries of the kind {kind}: archive or delete some.")
    if not seat.is_trusted:
        waiting = NotebookEntry.objects.filter(
            notebook=seat.notebook, state=EntryState.QUARANTINED, author=seat.agent
        ).count()
        if waiting >= limits.MAX_QUARANTINED:
            raise NotebookFull(f"{seat.agent!r} has {waiting} entries in quarantine: have some approved first.")
