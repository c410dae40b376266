"""Notebooks as the REST interface tells them."""

from __future__ import annotations

from knowledge.notebook.actions.entries import Written
from knowledge.notebook.actions.forgetting import Fading
from knowledge.notebook.api import shapes
from knowledge.notebook.models import (
    NotebookCommand,
    NotebookConflict,
    NotebookEntry,
    NotebookMember,
    NotebookProposal,
    NotebookReceipt,
    NotebookVersion,
)
from knowledge.notebook.selectors.memberships import Seat
from knowledge.notebook.selectors.search import NotebookHit, NotebookSearch


def render_notebook(seat: Seat) -> shapes.NotebookShape:
    """A notebook, as its member sees it."""
    row = seat.notebook
    return shapes.NotebookShape(
        notebook_id=row.slug,
        title=row.title,
        agent=seat.agent,
        access=seat.access,
        policy=row.policy,
        created_by=row.created_by,
        created_at=row.created_at,
    )


def render_member(row: NotebookMember) -> shapes.MemberShape:
    """A member."""
    return shapes.MemberShape(
        agent=row.agent,
        access=row.access,
        is_trusted=row.is_trusted,
        key_prefix=None if row.api_key is None else row.api_key.prefix,
        created_at=row.created_at,
    )


def render_entry(row: NotebookEntry) -> shapes.EntryShape:
    """An entry."""
    return shapes.EntryShape(
        entry_id=row.pk,
        kind=row.kind,
        name=row.name,
        content=row.content,
        sha256=row.sha256,
        version=row.version,
        author=row.author,
        state=row.state,
        is_pinned=row.is_pinned,
        metadata=row.metadata,
        importance=row.importance,
        importance_reason=row.importance_reason,
        uses=row.uses,
        last_used_at=row.last_used_at,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def render_version(row: NotebookVersion) -> shapes.VersionShape:
    """A version."""
    return shapes.VersionShape(
        number=row.number,
        operation=row.operation,
        name=row.name,
        content=row.content,
        sha256=row.sha256,
        author=row.author,
        source=row.source,
        created_at=row.created_at,
        redacted_at=row.redacted_at,
        redacted_by=row.redacted_by,
    )


def render_conflict(row: NotebookConflict) -> shapes.ConflictShape:
    """A conflict with both sides."""
    return shapes.ConflictShape(
        conflict_id=row.pk,
        kind=row.kind,
        name=row.entry.name,
        older=_render_side(row.older),
        newer=_render_side(row.newer),
        says=row.says,
        state=row.state,
        resolution=row.resolution,
        resolved_by=row.resolved_by,
        created_at=row.created_at,
    )


def _render_side(row: NotebookVersion) -> shapes.SideShape:
    return shapes.SideShape(
        name=row.name, version=row.number, content=row.content, author=row.author, created_at=row.created_at
    )


def render_proposal(row: NotebookProposal) -> shapes.ProposalShape:
    """A proposal."""
    return shapes.ProposalShape(
        proposal_id=row.pk,
        kind=row.kind,
        name=row.name,
        content=row.content,
        author=row.author,
        source=row.source,
        state=row.state,
        decided_by=row.decided_by,
        created_at=row.created_at,
    )


def render_written(written: Written) -> shapes.WrittenShape:
    """What became of a write."""
    return shapes.WrittenShape(
        outcome=written.outcome,
        entry=None if written.entry is None else render_entry(written.entry),
        proposal=None if written.proposal is None else render_proposal(written.proposal),
        conflicts=[render_conflict(row) for row in written.conflicts],
    )


def render_receipt(row: NotebookReceipt) -> shapes.ReceiptShape:
    """A receipt."""
    return shapes.ReceiptShape(
        receipt_id=str(row.pk),
        kind=row.kind,
        counts=row.counts,
        requested_by=row.requested_by,
        created_at=row.created_at,
    )


def render_fading(each: Fading) -> shapes.FadingShape:
    """An entry that is archived, or would be."""
    row = each.entry
    return shapes.FadingShape(
        entry_id=row.pk,
        kind=row.kind,
        name=row.name,
        importance=row.importance,
        uses=row.uses,
        idle_days=round(each.idle_days, 1),
        score=round(each.score, 4),
    )


def render_hit(hit: NotebookHit) -> shapes.FoundShape:
    """An entry that was found."""
    return shapes.FoundShape(
        score=hit.score,
        keyword_score=hit.parts.bm25,
        vector_score=hit.parts.vector,
        text=hit.text,
        start=hit.start,
        end=hit.end,
        entry=render_entry(hit.entry),
    )


def render_search(query: str, found: NotebookSearch) -> shapes.FoundList:
    """The answer of a search."""
    return shapes.FoundList(query=query, data=[render_hit(hit) for hit in found.hits], degraded=list(found.degraded))


def render_ledger(row: NotebookCommand) -> shapes.LedgerShape:
    """A row of the ledger."""
    return shapes.LedgerShape(
        turn_id=str(row.turn_id),
        index=row.index,
        agent=row.agent,
        command=row.command,
        status=row.status,
        code=row.code,
        name=None if row.version is None else row.version.name,
        version=None if row.version is None else row.version.number,
        proposal_id=row.proposal_id,
        found=row.found,
        created_at=row.created_at,
    )
