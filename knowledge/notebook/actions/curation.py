"""Pins, approval out of quarantine, archiving by hand and back."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from knowledge.notebook.actions.conflicts import note_contradictions
from knowledge.notebook.actions.passages import build_passages, remove_passages, replace_passages
from knowledge.notebook.core.drafts import NOTE
from knowledge.notebook.errors import AccessDenied, AlreadyDecided
from knowledge.notebook.models import Access, EntryState, Notebook, NotebookEntry, NotebookVersion
from knowledge.notebook.selectors.memberships import Seat


def curate_entry(
    seat: Seat, entry: NotebookEntry, *, is_pinned: bool | None = None, state: str | None = None
) -> NotebookEntry:
    """The entry, pinned or not, live or archived. `live` brings back what was archived and lets out of quarantine what
    another member wrote. Its version stays. Raises AccessDenied, AlreadyDecided.
    """
    seat.require(Access.WRITE)
    if not seat.is_trusted:
        raise AccessDenied("A new member curates nothing.", access=seat.access, needed="trust")
    passages = build_passages(entry)
    with transaction.atomic():
        Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
        row = NotebookEntry.objects.select_for_update(no_key=True).get(pk=entry.pk)
        if row.state in (EntryState.DELETED, EntryState.REDACTED) or row.sha256 != entry.sha256:
            raise AlreadyDecided("The entry was changed meanwhile.")
        was = row.state
        if state == EntryState.LIVE:
            if was == EntryState.QUARANTINED and row.author == seat.agent and not seat.may(Access.MANAGE):
                raise AccessDenied("Nobody approves their own words.", access=seat.access, needed="another member")
            row.state, row.archived_at = EntryState.LIVE, None
            row.last_used_at = timezone.now() if was == EntryState.ARCHIVED else row.last_used_at
        elif state == EntryState.ARCHIVED:
            row.state, row.archived_at, row.is_pinned = EntryState.ARCHIVED, row.archived_at or timezone.now(), False
        if is_pinned is not None:
            row.is_pinned = is_pinned and row.state != EntryState.ARCHIVED
        row.save(update_fields=["state", "archived_at", "is_pinned", "last_used_at"])
        if row.state != was:
            _reindex(row, was, passages)
    return row


def _reindex(row: NotebookEntry, was: str, passages: list) -> None:  # type: ignore[type-arg]
    if row.state == EntryState.ARCHIVED:
        remove_passages([row.pk])
        return
    replace_passages(row, passages)
    if row.kind == NOTE and was == EntryState.QUARANTINED:
        note_contradictions(row, NotebookVersion.objects.get(entry=row, number=row.version))
