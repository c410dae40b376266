"""`notebooks/{id}/entries`, `/conflicts`, `/proposals`, `/forget`, `/ledger`: versions, decisions, the archive."""

from __future__ import annotations

from operator import attrgetter

from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.errors import InvalidAsOf
from knowledge.notebook.actions.conflicts import resolve_conflict
from knowledge.notebook.actions.curation import curate_entry
from knowledge.notebook.actions.decisions import decide_proposal
from knowledge.notebook.actions.entries import delete_entry
from knowledge.notebook.actions.forgetting import archive_fading
from knowledge.notebook.actions.redaction import redact_entry
from knowledge.notebook.api import shapes
from knowledge.notebook.api.common import (
    BEFORE,
    ENTRY_ID,
    IF_MATCH,
    LIMIT,
    NOTEBOOK_ID,
    NotebookView,
    notebook_operation,
)
from knowledge.notebook.api.entries import DELETED, WRITE_PROBLEMS
from knowledge.notebook.api.rendering import (
    render_conflict,
    render_entry,
    render_fading,
    render_ledger,
    render_proposal,
    render_receipt,
    render_version,
)
from knowledge.notebook.errors import AlreadyDecided, StaleEntry, UnknownEntry
from knowledge.notebook.models import EntryState
from knowledge.notebook.selectors.entries import (
    get_entry_by_id,
    list_commands,
    list_conflicts,
    list_proposals,
    list_versions,
    note_use,
)
from memoryproject.rest.bodies import Body
from memoryproject.rest.forms import FLAG, form
from memoryproject.rest.operations import reply
from memoryproject.rest.parameters import MAX_ID, ChoiceParameter, NumberParameter, Parameters, TimeParameter
from memoryproject.rest.shapes import answer, cut_page

AS_OF = TimeParameter(
    "as_of",
    "Only versions that were there at this time (ISO 8601 with an offset): the first is the one that held.",
    "2026-01-15T12:00:00Z",
    error=InvalidAsOf,
)
VERSIONS = Parameters((AS_OF, BEFORE, LIMIT))
CONFLICTS = Parameters((ChoiceParameter("state", "Only in this state.", "open", ("open", "resolved")), BEFORE, LIMIT))
PROPOSALS = Parameters(
    (ChoiceParameter("state", "Only in this state.", "pending", ("pending", "approved", "rejected")), BEFORE, LIMIT)
)
CURATION = {
    "is_pinned": {"type": "boolean", "description": "Never archived."},
    "state": {
        "type": "string",
        "enum": ["live", "archived"],
        "description": "`live` brings back what is archived, and approves what waits in quarantine.",
    },
}
NUMBER = {"type": ["integer", "null"], "minimum": 1, "maximum": 2147483647, "description": "Null: all versions."}
CONFLICT_ID = NumberParameter("conflict_id", "", 7, 1, MAX_ID)
PROPOSAL_ID = NumberParameter("proposal_id", "", 7, 1, MAX_ID)


class EntryVersionsView(NotebookView):
    """`notebooks/{notebook_id}/entries/{notebook_entry_id}/versions`."""

    @notebook_operation(
        "notebooks_versions_list",
        shapes.VersionList,
        UnknownEntry,
        {400: {"as_of_invalid": "as_of is not a time with an offset."}},
        path=(NOTEBOOK_ID, ENTRY_ID),
        parameters=VERSIONS,
    )
    def get(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """List the versions of a fact, a note or a document.

        Each with its author. A redacted one has no content: branch on `redacted_at`.
        """
        values = self.values
        entry = get_entry_by_id(self.find_seat(notebook_id), notebook_entry_id)
        rows = list_versions(entry, before=values.get("cursor"), as_of=values.get("as_of"), limit=values["limit"] + 1)
        page, cursor = cut_page(rows, values["limit"], attrgetter("number"))
        return answer(shapes.VersionList(data=[render_version(row) for row in page], next_cursor=cursor))


class EntryView(NotebookView):
    """`notebooks/{notebook_id}/entries/{notebook_entry_id}`."""

    @notebook_operation("notebooks_entries_get", shapes.EntryShape, UnknownEntry, path=(NOTEBOOK_ID, ENTRY_ID))
    def get(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """Read a fact, a note or a document by its number.

        Who manages the notebook sees what is deleted or redacted, too.
        """
        entry = get_entry_by_id(self.find_seat(notebook_id), notebook_entry_id)
        if entry.state == EntryState.LIVE:
            note_use([entry])
        return answer(render_entry(entry), etag=entry.sha256)

    @notebook_operation(
        "notebooks_entries_delete", DELETED, UnknownEntry, StaleEntry, path=(NOTEBOOK_ID, ENTRY_ID), headers=(IF_MATCH,)
    )
    def delete(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """Delete a fact, a note or a document by its number.

        Its versions are kept; redaction takes words away.
        """
        seat, expected = self.find_seat(notebook_id), self.read_if_match()
        entry = get_entry_by_id(seat, notebook_entry_id)
        return answer(render_version(delete_entry(seat, entry, expected_sha256=expected)))

    @notebook_operation(
        "notebooks_entries_curate",
        shapes.EntryShape,
        UnknownEntry,
        AlreadyDecided,
        path=(NOTEBOOK_ID, ENTRY_ID),
        body=Body(form({}, CURATION, minProperties=1)),
        sent={"a pin": {"is_pinned": True}},
    )
    def patch(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """Pin, archive, bring back, or approve an entry."""
        seat = self.find_seat(notebook_id)
        return answer(render_entry(curate_entry(seat, get_entry_by_id(seat, notebook_entry_id), **self.body)))


class EntryRedactionView(NotebookView):
    """`notebooks/{notebook_id}/entries/{notebook_entry_id}/redact`."""

    @notebook_operation(
        "notebooks_entries_redact",
        shapes.ReceiptShape,
        UnknownEntry,
        path=(NOTEBOOK_ID, ENTRY_ID),
        body=Body(form({"version": NUMBER})),
        sent={"one version": {"version": 1}},
    )
    def post(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """Take away the words of an entry, or of one version.

        For good. The places of the versions stay, and the receipt says what went.
        """
        seat = self.find_seat(notebook_id)
        entry = get_entry_by_id(seat, notebook_entry_id)
        return answer(render_receipt(redact_entry(seat, entry, number=self.body["version"])))


class ConflictsView(NotebookView):
    """`notebooks/{notebook_id}/conflicts`."""

    @notebook_operation("notebooks_conflicts_list", shapes.ConflictList, parameters=CONFLICTS)
    def get(self, request: Request, notebook_id: str) -> Response:
        """List conflicts, with both authors."""
        values = self.values
        rows = list_conflicts(
            self.find_seat(notebook_id),
            state=values.get("state", ""),
            before=values.get("cursor"),
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(rows, values["limit"])
        return answer(shapes.ConflictList(data=[render_conflict(row) for row in page], next_cursor=cursor))


class ConflictView(NotebookView):
    """`notebooks/{notebook_id}/conflicts/{conflict_id}`."""

    @notebook_operation(
        "notebooks_conflicts_resolve",
        reply(shapes.ConflictShape, state="resolved", resolution="newer", resolved_by="coder"),
        UnknownEntry,
        AlreadyDecided,
        path=(NOTEBOOK_ID, CONFLICT_ID),
        body=Body(form({"holds": {"type": "string", "enum": ["older", "newer", "both"]}})),
        sent={"the newer": {"holds": "newer"}},
    )
    def post(self, request: Request, notebook_id: str, conflict_id: int) -> Response:
        """Say which side of a conflict holds.

        Both sides stay as they are: to change a fact, write it.
        """
        seat = self.find_seat(notebook_id)
        return answer(render_conflict(resolve_conflict(seat, conflict_id, resolution=self.body["holds"])))


class ProposalsView(NotebookView):
    """`notebooks/{notebook_id}/proposals`."""

    @notebook_operation("notebooks_proposals_list", shapes.ProposalList, parameters=PROPOSALS)
    def get(self, request: Request, notebook_id: str) -> Response:
        """List proposed writes."""
        values = self.values
        rows = list_proposals(
            self.find_seat(notebook_id),
            state=values.get("state", ""),
            before=values.get("cursor"),
            limit=values["limit"] + 1,
        )
        page, cursor = cut_page(rows, values["limit"])
        return answer(shapes.ProposalList(data=[render_proposal(row) for row in page], next_cursor=cursor))


class ProposalView(NotebookView):
    """`notebooks/{notebook_id}/proposals/{proposal_id}`."""

    @notebook_operation(
        "notebooks_proposals_decide",
        reply(shapes.ProposalShape, state="approved", decided_by="coder"),
        UnknownEntry,
        *WRITE_PROBLEMS,
        AlreadyDecided,
        path=(NOTEBOOK_ID, PROPOSAL_ID),
        body=Body(form({"approve": FLAG})),
        sent={"approve": {"approve": True}},
    )
    def post(self, request: Request, notebook_id: str, proposal_id: int) -> Response:
        """Approve or reject a proposed write.

        By another member than its author. What was changed since the author read it is 412.
        """
        seat = self.find_seat(notebook_id)
        return answer(render_proposal(decide_proposal(seat, proposal_id, is_approved=self.body["approve"])))


class NotebookForgettingView(NotebookView):
    """`notebooks/{notebook_id}/forget`."""

    @notebook_operation(
        "notebooks_forget",
        shapes.ForgettingShape,
        body=Body(form({"dry_run": FLAG})),
        sent={"a dry run": {"dry_run": True}},
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Archive what nobody uses, or see what would be.

        By use and importance. Pins, decisions and what was used are exempt. Nothing is deleted: what is archived comes
        back by its entry.
        """
        is_dry_run = self.body["dry_run"]
        fading, receipt = archive_fading(self.find_seat(notebook_id), is_dry_run=is_dry_run)
        return answer(
            shapes.ForgettingShape(
                dry_run=is_dry_run,
                data=[render_fading(each) for each in fading],
                receipt=None if receipt is None else render_receipt(receipt),
            )
        )


class LedgerView(NotebookView):
    """`notebooks/{notebook_id}/ledger`."""

    @notebook_operation("notebooks_ledger", shapes.LedgerList, parameters=Parameters((BEFORE, LIMIT)))
    def get(self, request: Request, notebook_id: str) -> Response:
        """List the commands of models.

        Whatever became of them. The ledger holds no words.
        """
        values = self.values
        rows = list_commands(self.find_seat(notebook_id), before=values.get("cursor"), limit=values["limit"] + 1)
        page, cursor = cut_page(rows, values["limit"])
        return answer(shapes.LedgerList(data=[render_ledger(row) for row in page], next_cursor=cursor))
