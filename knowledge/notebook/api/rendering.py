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
from memoryproject.rest.shapes import fill


def render_notebook(seat: Seat) -> shapes.NotebookShape:
    """A notebook, as its member sees it."""
    row = seat.notebook
    return fill(shapes.NotebookShape, row, notebook_id=row.slug, agent=seat.agent, access=seat.access)


def render_member(row: NotebookMember) -> shapes.MemberShape:
    """A member."""
    return fill(shapes.MemberShape, row, key_prefix=None if row.api_key is None else row.api_key.prefix)


def render_entry(row: NotebookEntry) -> shapes.EntryShape:
    """An entry."""
    return fill(shapes.EntryShape, row, entry_id=row.pk)


def render_version(row: NotebookVersion) -> shapes.VersionShape:
    """A version."""
    return fill(shapes.VersionShape, row)


def render_conflict(row: NotebookConflict) -> shapes.ConflictShape:
    """A conflict with both sides."""
    older, newer = (fill(shapes.SideShape, side, version=side.number) for side in (row.older, row.newer))
    return fill(shapes.ConflictShape, row, conflict_id=row.pk, name=row.entry.name, older=older, newer=newer)


def render_proposal(row: NotebookProposal) -> shapes.ProposalShape:
    """A proposal."""
    return fill(shapes.ProposalShape, row, proposal_id=row.pk)


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
    return fill(shapes.ReceiptShape, row, receipt_id=str(row.pk))


def render_fading(each: Fading) -> shapes.FadingShape:
    """An entry that is archived, or would be."""
    idle_days, score = round(each.idle_days, 1), round(each.score, 4)
    return fill(shapes.FadingShape, each.entry, entry_id=each.entry.pk, idle_days=idle_days, score=score)


def render_hit(hit: NotebookHit) -> shapes.FoundShape:
    """An entry that was found."""
    scores = {"keyword_score": hit.parts.bm25, "vector_score": hit.parts.vector}
    return fill(shapes.FoundShape, hit, **scores, entry=render_entry(hit.entry))


def render_search(query: str, found: NotebookSearch) -> shapes.FoundList:
    """The answer of a search."""
    return shapes.FoundList(query=query, data=[render_hit(hit) for hit in found.hits], degraded=list(found.degraded))


def render_ledger(row: NotebookCommand) -> shapes.LedgerShape:
    """A row of the ledger."""
    name, number = (None, None) if row.version is None else (row.version.name, row.version.number)
    return fill(shapes.LedgerShape, row, turn_id=str(row.turn_id), name=name, version=number)
