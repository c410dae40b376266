"""Writes that wait for somebody else."""

from __future__ import annotations

from knowledge.notebook.core.drafts import Draft, Origin
from knowledge.notebook.core.limits import MAX_PENDING_PROPOSALS
from knowledge.notebook.errors import NotebookFull
from knowledge.notebook.models import Access, NotebookProposal, ProposalState
from knowledge.notebook.selectors.memberships import Seat


def propose(seat: Seat, draft: Draft, base_sha256: str, origin: Origin) -> NotebookProposal:
    """The proposal of a write. Raises AccessDenied, NotebookFull."""
    seat.require(Access.PROPOSE)
    rows = NotebookProposal.objects.filter(notebook=seat.notebook, author=seat.agent, state=ProposalState.PENDING)
    same = rows.filter(kind=draft.kind, name=draft.name, content=draft.content).first()
    if same is not None:
        return same
    if rows.count() >= MAX_PENDING_PROPOSALS:
        raise NotebookFull(f"{seat.agent!r} has {MAX_PENDING_PROPOSALS} proposals that wait.")
    return NotebookProposal.objects.create(
        tenant_id=seat.notebook.tenant_id,
        notebook=seat.notebook,
        kind=draft.kind,
        name=draft.name,
        content=draft.content,
        metadata=dict(draft.metadata),
        base_sha256=base_sha256,
        author=seat.agent,
        source=origin.source,
        message_id=origin.message_id,
    )
