"""`notebooks/{id}/entries`, `/conflicts`, `/proposals`, `/forget`, `/ledger`: versions, decisions, the archive."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from knowledge.notebook.actions.conflicts import resolve_conflict
from knowledge.notebook.actions.curation import curate_entry
from knowledge.notebook.actions.entries import delete_entry
from knowledge.notebook.actions.forgetting import archive_fading
from knowledge.notebook.actions.proposals import decide_proposal
from knowledge.notebook.actions.redaction import redact_entry
from knowledge.notebook.api import examples, shapes
from knowledge.notebook.api.common import HEADERS, IF_MATCH_HEADER, LIMIT, NOTEBOOK_ID, NotebookView, answer_entry
from knowledge.notebook.api.rendering import (
    render_conflict,
    render_entry,
    render_fading,
    render_ledger,
    render_proposal,
    render_receipt,
    render_version,
)
from knowledge.notebook.models import EntryState
from knowledge.notebook.selectors.entries import (
    get_entry_by_id,
    list_commands,
    list_conflicts,
    list_proposals,
    list_versions,
    note_use,
)
from tenancy.api.bodies import Body
from tenancy.api.parameters import MAX_ID, NO_PARAMETERS, ChoiceParameter, NumberParameter, Parameters, TimeParameter
from tenancy.api.schemas import BODY_CODES
from tenancy.api.shapes import answer, describe_answer

BEFORE = NumberParameter("cursor", "`next_cursor` of the page before.", 16, 1, MAX_ID)
PAGE = Parameters((BEFORE, LIMIT))
AS_OF = TimeParameter(
    "as_of",
    "Only versions that were there at this time (ISO 8601 with an offset): the first is the one that held.",
    "2026-01-15T12:00:00Z",
    code="as_of_invalid",
)
VERSIONS = Parameters((AS_OF, BEFORE, LIMIT))
CONFLICTS = Parameters((ChoiceParameter("state", "Only in this state.", "open", ("open", "resolved")), BEFORE, LIMIT))
PROPOSALS = Parameters(
    (ChoiceParameter("state", "Only in this state.", "pending", ("pending", "approved", "rejected")), BEFORE, LIMIT)
)
CURATE_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "minProperties": 1,
    "properties": {
        "is_pinned": {"type": "boolean", "description": "Never archived."},
        "state": {
            "type": "string",
            "enum": ["live", "archived"],
            "description": "`live` brings back what is archived, and approves what waits in quarantine.",
        },
    },
}
REDACT_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version"],
    "properties": {
        "version": {
            "type": ["integer", "null"],
            "minimum": 1,
            "maximum": 2147483647,
            "description": "Null: all versions.",
        }
    },
}
RESOLVE_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["holds"],
    "properties": {"holds": {"type": "string", "enum": ["older", "newer", "both"]}},
}
DECIDE_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["approve"],
    "properties": {"approve": {"type": "boolean"}},
}
FORGET_BODY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["dry_run"],
    "properties": {"dry_run": {"type": "boolean"}},
}
CURATE, REDACT, RESOLVE = Body(CURATE_BODY), Body(REDACT_BODY), Body(RESOLVE_BODY)
DECIDE, FORGET = Body(DECIDE_BODY), Body(FORGET_BODY)


def _describe_id(name: str) -> OpenApiParameter:
    schema = {"type": "integer", "minimum": 1, "maximum": MAX_ID}
    return OpenApiParameter(name, schema, OpenApiParameter.PATH, examples=[OpenApiExample("example", 7)])


ENTRY_ID, CONFLICT_ID, PROPOSAL_ID = (
    _describe_id("notebook_entry_id"),
    _describe_id("conflict_id"),
    _describe_id("proposal_id"),
)


class EntryVersionsView(NotebookView):
    """`notebooks/{notebook_id}/entries/{notebook_entry_id}/versions`."""

    @extend_schema(
        operation_id="notebooks_versions_list",
        tags=["Notebooks"],
        summary="List the versions of a fact, a note or a document",
        description="Each with its author. A redacted one has no content: branch on `redacted_at`.",
        parameters=[NOTEBOOK_ID, ENTRY_ID, *VERSIONS.describe(), *HEADERS],
        responses=describe_answer(
            shapes.VersionList,
            {"data": [examples.VERSION], "next_cursor": None},
            examples.NOTEBOOK_CODES,
            examples.ENTRY_CODES,
            {400: {"as_of_invalid": "as_of is not a time with an offset."}},
        ),
    )
    def get(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """List the versions of a fact, a note or a document."""
        values = VERSIONS.read(request)
        entry = get_entry_by_id(self.find_seat(notebook_id), notebook_entry_id)
        rows = list_versions(entry, before=values.get("cursor"), as_of=values.get("as_of"), limit=values["limit"] + 1)
        page = rows[: values["limit"]]
        cursor = page[-1].number if len(rows) > len(page) else None
        return answer(shapes.VersionList(data=[render_version(row) for row in page], next_cursor=cursor))


class EntryView(NotebookView):
    """`notebooks/{notebook_id}/entries/{notebook_entry_id}`."""

    @extend_schema(
        operation_id="notebooks_entries_get",
        tags=["Notebooks"],
        summary="Read a fact, a note or a document by its number",
        description="Who manages the notebook sees what is deleted or redacted, too.",
        parameters=[NOTEBOOK_ID, ENTRY_ID, *HEADERS],
        responses=describe_answer(shapes.EntryShape, examples.NOTE, examples.NOTEBOOK_CODES, examples.ENTRY_CODES),
    )
    def get(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """Read a fact, a note or a document by its number."""
        NO_PARAMETERS.read(request)
        entry = get_entry_by_id(self.find_seat(notebook_id), notebook_entry_id)
        if entry.state == EntryState.LIVE:
            note_use([entry])
        return answer_entry(render_entry(entry), entry.sha256)

    @extend_schema(
        operation_id="notebooks_entries_delete",
        tags=["Notebooks"],
        summary="Delete a fact, a note or a document by its number",
        description="Its versions are kept; redaction takes words away.",
        parameters=[NOTEBOOK_ID, ENTRY_ID, *HEADERS, IF_MATCH_HEADER],
        responses=describe_answer(
            shapes.VersionShape,
            {**examples.VERSION, "operation": "deleted", "content": ""},
            examples.NOTEBOOK_CODES,
            examples.ENTRY_CODES,
            {412: examples.WRITE_CODES[412]},
        ),
    )
    def delete(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """Delete a fact, a note or a document by its number."""
        NO_PARAMETERS.read(request)
        seat, expected = self.find_seat(notebook_id), self.read_if_match()
        entry = get_entry_by_id(seat, notebook_entry_id)
        return answer(render_version(delete_entry(seat, entry, expected_sha256=expected)))

    @extend_schema(
        operation_id="notebooks_entries_curate",
        tags=["Notebooks"],
        summary="Pin, archive, bring back, or approve an entry",
        parameters=[NOTEBOOK_ID, ENTRY_ID, *HEADERS],
        request={"application/json": CURATE_BODY},
        examples=[OpenApiExample("a pin", {"is_pinned": True}, request_only=True)],
        responses=describe_answer(
            shapes.EntryShape,
            examples.FACT,
            examples.NOTEBOOK_CODES,
            examples.ENTRY_CODES,
            examples.DECISION_CODES,
            BODY_CODES,
        ),
    )
    def patch(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """Pin, archive, bring back, or approve an entry."""
        NO_PARAMETERS.read(request)
        body = CURATE.read(request)
        seat = self.find_seat(notebook_id)
        return answer(render_entry(curate_entry(seat, get_entry_by_id(seat, notebook_entry_id), **body)))


class EntryRedactionView(NotebookView):
    """`notebooks/{notebook_id}/entries/{notebook_entry_id}/redact`."""

    @extend_schema(
        operation_id="notebooks_entries_redact",
        tags=["Notebooks"],
        summary="Take away the words of an entry, or of one version",
        description="For good. The places of the versions stay, and the receipt says what went.",
        parameters=[NOTEBOOK_ID, ENTRY_ID, *HEADERS],
        request={"application/json": REDACT_BODY},
        examples=[OpenApiExample("one version", {"version": 1}, request_only=True)],
        responses=describe_answer(
            shapes.ReceiptShape, examples.RECEIPT, examples.NOTEBOOK_CODES, examples.ENTRY_CODES, BODY_CODES
        ),
    )
    def post(self, request: Request, notebook_id: str, notebook_entry_id: int) -> Response:
        """Take away the words of an entry, or of one version."""
        NO_PARAMETERS.read(request)
        number = REDACT.read(request)["version"]
        seat = self.find_seat(notebook_id)
        return answer(render_receipt(redact_entry(seat, get_entry_by_id(seat, notebook_entry_id), number=number)))


class ConflictsView(NotebookView):
    """`notebooks/{notebook_id}/conflicts`."""

    @extend_schema(
        operation_id="notebooks_conflicts_list",
        tags=["Notebooks"],
        summary="List conflicts, with both authors",
        parameters=[NOTEBOOK_ID, *CONFLICTS.describe(), *HEADERS],
        responses=describe_answer(
            shapes.ConflictList, {"data": [examples.CONFLICT], "next_cursor": None}, examples.NOTEBOOK_CODES
        ),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """List conflicts, with both authors."""
        values = CONFLICTS.read(request)
        seat = self.find_seat(notebook_id)
        rows = list_conflicts(
            seat, state=values.get("state", ""), before=values.get("cursor"), limit=values["limit"] + 1
        )
        page = rows[: values["limit"]]
        cursor = page[-1].pk if len(rows) > len(page) else None
        return answer(shapes.ConflictList(data=[render_conflict(row) for row in page], next_cursor=cursor))


class ConflictView(NotebookView):
    """`notebooks/{notebook_id}/conflicts/{conflict_id}`."""

    @extend_schema(
        operation_id="notebooks_conflicts_resolve",
        tags=["Notebooks"],
        summary="Say which side of a conflict holds",
        description="Both sides stay as they are: to change a fact, write it.",
        parameters=[NOTEBOOK_ID, CONFLICT_ID, *HEADERS],
        request={"application/json": RESOLVE_BODY},
        examples=[OpenApiExample("the newer", {"holds": "newer"}, request_only=True)],
        responses=describe_answer(
            shapes.ConflictShape,
            {**examples.CONFLICT, "state": "resolved", "resolution": "newer", "resolved_by": "coder"},
            examples.NOTEBOOK_CODES,
            examples.ENTRY_CODES,
            examples.DECISION_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request, notebook_id: str, conflict_id: int) -> Response:
        """Say which side of a conflict holds."""
        NO_PARAMETERS.read(request)
        holds = RESOLVE.read(request)["holds"]
        return answer(render_conflict(resolve_conflict(self.find_seat(notebook_id), conflict_id, resolution=holds)))


class ProposalsView(NotebookView):
    """`notebooks/{notebook_id}/proposals`."""

    @extend_schema(
        operation_id="notebooks_proposals_list",
        tags=["Notebooks"],
        summary="List proposed writes",
        parameters=[NOTEBOOK_ID, *PROPOSALS.describe(), *HEADERS],
        responses=describe_answer(
            shapes.ProposalList, {"data": [examples.PROPOSAL], "next_cursor": None}, examples.NOTEBOOK_CODES
        ),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """List proposed writes."""
        values = PROPOSALS.read(request)
        seat = self.find_seat(notebook_id)
        rows = list_proposals(
            seat, state=values.get("state", ""), before=values.get("cursor"), limit=values["limit"] + 1
        )
        page = rows[: values["limit"]]
        cursor = page[-1].pk if len(rows) > len(page) else None
        return answer(shapes.ProposalList(data=[render_proposal(row) for row in page], next_cursor=cursor))


class ProposalView(NotebookView):
    """`notebooks/{notebook_id}/proposals/{proposal_id}`."""

    @extend_schema(
        operation_id="notebooks_proposals_decide",
        tags=["Notebooks"],
        summary="Approve or reject a proposed write",
        description="By another member than its author. What was changed since the author read it is 412.",
        parameters=[NOTEBOOK_ID, PROPOSAL_ID, *HEADERS],
        request={"application/json": DECIDE_BODY},
        examples=[OpenApiExample("approve", {"approve": True}, request_only=True)],
        responses=describe_answer(
            shapes.ProposalShape,
            {**examples.PROPOSAL, "state": "approved", "decided_by": "coder"},
            examples.NOTEBOOK_CODES,
            examples.ENTRY_CODES,
            examples.WRITE_CODES,
            examples.DECISION_CODES,
            BODY_CODES,
        ),
    )
    def post(self, request: Request, notebook_id: str, proposal_id: int) -> Response:
        """Approve or reject a proposed write."""
        NO_PARAMETERS.read(request)
        is_approved = DECIDE.read(request)["approve"]
        return answer(
            render_proposal(decide_proposal(self.find_seat(notebook_id), proposal_id, is_approved=is_approved))
        )


class NotebookForgettingView(NotebookView):
    """`notebooks/{notebook_id}/forget`."""

    @extend_schema(
        operation_id="notebooks_forget",
        tags=["Notebooks"],
        summary="Archive what nobody uses, or see what would be",
        description="By use and importance. Pins, decisions and what was used are exempt. Nothing is deleted: what is "
        "archived comes back by its entry.",
        parameters=[NOTEBOOK_ID, *HEADERS],
        request={"application/json": FORGET_BODY},
        examples=[OpenApiExample("a dry run", {"dry_run": True}, request_only=True)],
        responses=describe_answer(shapes.ForgettingShape, examples.FADING, examples.NOTEBOOK_CODES, BODY_CODES),
    )
    def post(self, request: Request, notebook_id: str) -> Response:
        """Archive what nobody uses, or see what would be."""
        NO_PARAMETERS.read(request)
        is_dry_run = FORGET.read(request)["dry_run"]
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

    @extend_schema(
        operation_id="notebooks_ledger",
        tags=["Notebooks"],
        summary="List the commands of models",
        description="Whatever became of them. The ledger holds no words.",
        parameters=[NOTEBOOK_ID, *PAGE.describe(), *HEADERS],
        responses=describe_answer(
            shapes.LedgerList, {"data": [examples.LEDGER], "next_cursor": None}, examples.NOTEBOOK_CODES
        ),
    )
    def get(self, request: Request, notebook_id: str) -> Response:
        """List the commands of models."""
        values = PAGE.read(request)
        rows = list_commands(self.find_seat(notebook_id), before=values.get("cursor"), limit=values["limit"] + 1)
        page = rows[: values["limit"]]
        cursor = page[-1].pk if len(rows) > len(page) else None
        return answer(shapes.LedgerList(data=[render_ledger(row) for row in page], next_cursor=cursor))
