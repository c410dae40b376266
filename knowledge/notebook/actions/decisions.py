"""Decisions on writes that waited for somebody else."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from knowledge.notebook.actions.entries import write_entry
from knowledge.notebook.core.drafts import Draft, Origin
from knowledge.notebook.errors import AccessDenied, AlreadyDecided, UnknownEntry
from knowledge.notebook.models import Access, Notebook, NotebookProposal, ProposalState
from knowledge.notebook.selectors.memberships import Seat


def decide_proposal(seat: Seat, proposal_id: int, *, is_approved: bool, force: bool = False) -> NotebookProposal:
    """The proposal, decided by somebody else than its author. Approved words stand under their author's name.

    What was changed since the author read it raises StaleEntry, unless `force`. Raises AccessDenied, UnknownEntry,
    AlreadyDecided, and what writing raises.
    """
    seat.require(Access.WRITE)
    with transaction.atomic():
        Notebook.objects.select_for_update(no_key=True).get(pk=seat.notebook.pk)
        row = NotebookProposal.objects.select_for_update().filter(notebook=seat.notebook, pk=proposal_id).first()
        if row is None:
            raise UnknownEntry("The notebook has no such proposal.")
        if row.state != ProposalState.PENDING:
            raise AlreadyDecided(f"{row.decided_by!r} decided: {row.state}.")
        if is_approved and row.author == seat.agent:
            raise AccessDenied("Nobody approves their own words.", access=seat.access, needed="another member")
        if is_approved:
            author = Seat(seat.notebook, row.author, Access.WRITE, is_trusted=True)
            written = write_entry(
                author,
                Draft(row.kind, row.name, row.content, row.metadata),
                expected_sha256=None if force or not row.base_sha256 else row.base_sha256,
                origin=Origin(row.source, row.message_id),
            )
            row.version = written.version
        row.state = ProposalState.APPROVED if is_approved else ProposalState.REJECTED
        row.decided_by, row.decided_at = seat.agent, timezone.now()
        row.save(update_fields=["state", "decided_by", "decided_at", "version"])
    return row
